#include "integrator/SplitDamping.h"

#include "damping/DampingFlow.h"
#include "system/Boundary.h"

namespace verve {
namespace {

class SplitDamping final : public Integrator {
 public:
  SplitDamping(const System& system, const IntegratorSettings& settings, int parts,
               std::unique_ptr<Integrator> base, std::shared_ptr<StrainFlow> flow)
      : system_(system),
        settings_(settings.damping),
        parts_(parts),
        flow_(system, settings.damping, std::move(flow)),
        base_(std::move(base)) {}

  StepReport step(const Drivers& drivers, State& state, double h) override {
    const long factorizations = flow_.factorizations(), iterations = flow_.iterations();
    const Deltas delta = split_delta(h);
    // The flow's first half already belongs to this step: its pins hold, with their velocities.
    drivers.pins(state.time + h, pins_);
    change_held(system_, pins_, state);
    for (const Pin& pin : pins_) point(state.v, pin.point) = (pin.position - point(state.x, pin.point)) / h;

    StepReport report;
    report.solved = flow_.advance(delta, 0.5 * h, state);
    if (report.solved) report.add(base_->step(drivers, state, h));
    if (report.solved) report.solved = flow_.advance(delta, 0.5 * h, state);
    report.factorizations += int(flow_.factorizations() - factorizations);
    report.linear_iterations += int(flow_.iterations() - iterations);
    return report;
  }

  void forget() override { base_->forget(), flow_.forget(); }
  void check(const State& state) const override { base_->check(state); }
  void watch(std::function<void(double)> look) override { base_->watch(std::move(look)); }
  void trace(NewtonTrace trace) override { base_->trace(std::move(trace)); }

 private:
  Deltas split_delta(double h) const {
    switch (settings_.model) {
      case DampingModel::blend:
        return parts_ == 0 ? settings_.deltas() : settings_.shares(h / parts_).split;
      case DampingModel::split:
        return settings_.deltas();
      default:
        return 0.0;  // delta acts in the step; eta is split off
    }
  }

  const System& system_;
  DampingSettings settings_;
  int parts_;
  DampingFlow flow_;
  std::unique_ptr<Integrator> base_;
  std::vector<Pin> pins_;
};

}  // namespace

std::unique_ptr<Integrator> make_split_damping(const System& system, const IntegratorSettings& settings,
                                               int parts, std::unique_ptr<Integrator> base,
                                               std::shared_ptr<StrainFlow> flow) {
  return std::make_unique<SplitDamping>(system, settings, parts, std::move(base), std::move(flow));
}

}  // namespace verve
