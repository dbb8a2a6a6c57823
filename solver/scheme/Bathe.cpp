#include "scheme/Bathe.h"

#include "integrator/ChordSolver.h"
#include "scheme/Newmark.h"

namespace verve {
namespace {

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

std::unique_ptr<Integrator> make_bathe(System& system, const IntegratorSettings& settings) {
  return std::make_unique<Bathe>(system, settings);
}

}  // namespace verve
