#include "scheme/Composition.h"

#include <cmath>

namespace verve {
namespace {

class Composition final : public Integrator {
 public:
  Composition(std::unique_ptr<Integrator> base, std::vector<double> parts)
      : base_(std::move(base)), parts_(std::move(parts)) {}

  StepReport step(const Drivers& drivers, State& state, double h) override {
    StepReport report;
    for (double part : parts_) {
      report.add(base_->step(drivers, state, part * h));
      if (!report.solved) break;
    }
    return report;
  }
  void forget() override { base_->forget(); }
  void watch(std::function<void(double)> look) override { base_->watch(std::move(look)); }
  void trace(NewtonTrace trace) override { base_->trace(std::move(trace)); }

 private:
  std::unique_ptr<Integrator> base_;
  std::vector<double> parts_;
};

}  // namespace

std::unique_ptr<Integrator> compose(std::unique_ptr<Integrator> base, int order) {
  std::vector<double> parts;
  if (order == 4) {
    const double g = 1.0 / (4.0 - std::cbrt(4.0));
    parts = {g, g, 1.0 - 4.0 * g, g, g};
  } else {
    const double a = 0.39216144400731413928, b = 0.33259913678935943860, c = -0.70624617255763935981,
                 d = 0.08221359629355080023;
    parts = {a, b, c, d, 1.0 - 2.0 * (a + b + c + d), d, c, b, a};
  }
  return std::make_unique<Composition>(std::move(base), std::move(parts));
}

}  // namespace verve
