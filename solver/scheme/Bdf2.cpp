#include "scheme/Bdf2.h"

#include "integrator/ChordSolver.h"
#include "scheme/Newmark.h"

namespace verve {
namespace {

/// The first step is Newmark's, so that the order is 2 from the start.
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

}  // namespace

std::unique_ptr<Integrator> make_bdf2(System& system, const IntegratorSettings& settings) {
  return std::make_unique<Bdf2>(system, settings);
}

}  // namespace verve
