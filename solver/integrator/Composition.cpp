#include "integrator/Composition.h"

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

 private:
  std::unique_ptr<Integrator> base_;
  std::vector<double> parts_;
};

}  // namespace

std::unique_ptr<Integrator> compose_order4(std::unique_ptr<Integrator> base) {
  const double g = 1.0 / (4.0 - std::cbrt(4.0));
  return std::make_unique<Composition>(std::move(base), std::vector<double>{g, g, 1.0 - 4.0 * g, g, g});
}

}  // namespace verve
