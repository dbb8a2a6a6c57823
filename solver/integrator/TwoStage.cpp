// BDF2 and Bathe's method: backward formulas over two intervals, solved by the same minimiser.
#include "integrator/TwoStage.h"

#include "integrator/ChordScheme.h"
#include "integrator/ChordSolver.h"

namespace verve {
namespace {

/// BDF2 with steps of any size; the first one is Newmark's, so that the order is 2 from the start.
class Bdf2 final : public Integrator {
 public:
  Bdf2(System& system, const IntegratorSettings& settings)
      : solver_(system, settings), starter_(make_chord_integrator(system, newmark_scheme(), settings)) {}

  StepReport step(const Drivers& drivers, State& state, double h) override {
    const Vector x0 = state.x, v0 = state.v;
    StepReport report;
    if (state.h_before == 0.0) {
      report = starter_->step(drivers, state, h);
    } else {
      // x1 = a x0 - b x_before + c h v1, and the same for v.
      const double w = h / state.h_before, d = 1.0 + 2.0 * w;
      const double a = (1.0 + w) * (1.0 + w) / d, b = w * w / d, c = (1.0 + w) / d;
      solver_.begin(drivers, state, h);
      solver_.chord.samples = {{1.0, c * c * h * h}};
      solver_.predictor = a * x0 - b * state.x_before + c * h * (a * v0 - b * state.v_before);
      report.add(solver_.solve(state));
      if (report.solved) solver_.end((solver_.x() - a * x0 + b * state.x_before) / (c * h), state);
    }
    state.x_before = x0;
    state.v_before = v0;
    state.h_before = h;
    return report;
  }
  void forget() override { solver_.forget(), starter_->forget(); }
  void watch(std::function<void(double)> look) override { solver_.watch(look), starter_->watch(look); }
  void trace(NewtonTrace trace) override { solver_.trace(trace), starter_->trace(trace); }

 private:
  ChordSolver solver_;
  std::unique_ptr<Integrator> starter_;
};

/// Bathe 2007: the trapezoidal rule over the first half of the step, the three-point backward rule over the
/// whole.
class Bathe final : public Integrator {
 public:
  Bathe(System& system, const IntegratorSettings& settings)
      : solver_(system, settings), first_half_(make_chord_integrator(system, newmark_scheme(), settings)) {}

  StepReport step(const Drivers& drivers, State& state, double h) override {
    const Vector x0 = state.x, v0 = state.v;
    StepReport report = first_half_->step(drivers, state, 0.5 * h);
    if (!report.solved) return report;
    const Vector xh = state.x, vh = state.v;
    solver_.begin(drivers, state, 0.5 * h);
    solver_.chord.samples = {{1.0, h * h / 9.0}};
    solver_.predictor = (4.0 * xh - x0) / 3.0 + h * (4.0 * vh - v0) / 9.0;
    report.add(solver_.solve(state));
    if (report.solved) solver_.end((3.0 * solver_.x() - 4.0 * xh + x0) / h, state);
    return report;
  }
  void forget() override { solver_.forget(), first_half_->forget(); }
  void watch(std::function<void(double)> look) override { solver_.watch(look), first_half_->watch(look); }
  void trace(NewtonTrace trace) override { solver_.trace(trace), first_half_->trace(trace); }

 private:
  ChordSolver solver_;
  std::unique_ptr<Integrator> first_half_;
};

}  // namespace

std::unique_ptr<Integrator> make_bdf2(System& system, const IntegratorSettings& settings) {
  return std::make_unique<Bdf2>(system, settings);
}

std::unique_ptr<Integrator> make_bathe(System& system, const IntegratorSettings& settings) {
  return std::make_unique<Bathe>(system, settings);
}

}  // namespace verve
