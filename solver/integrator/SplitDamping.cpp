#include "integrator/SplitDamping.h"

#include <algorithm>

#include "damping/DampingFlow.h"
#include "integrator/Boundary.h"

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
    // The flow's first half already belongs to this step: its pins hold. Each half has them at the speed of
    // that half of their way: at that of the whole they would tear at bodies that speed up along with them.
    drivers.pins(state.time + h, pins_);
    change_held(system_, pins_, state);
    find_halfway(drivers, state, h);
    const Vector x0 = state.x;
    for (const Pin& pin : halfway_) set_speed(state, pin.point, x0, pin.position, 0.5 * h);

    StepReport report;
    report.solved = flow_.advance(delta, 0.5 * h, state);
    if (report.solved) report.add(base_->step(drivers, state, h));
    if (report.solved) {
      for (const Pin& pin : halfway_)
        point(state.v, pin.point) = 2.0 / h * (point(state.x, pin.point) - pin.position);
      report.solved = flow_.advance(delta, 0.5 * h, state);
      for (const Pin& pin : pins_) set_speed(state, pin.point, x0, pin.position, h);
    }
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

  /// Where the pins are in the middle of the step; of those that begin or end with it, half of the way.
  void find_halfway(const Drivers& drivers, const State& state, double h) {
    drivers.pins(state.time + 0.5 * h, halfway_);
    const auto same = [](const Pin& a, const Pin& b) { return a.point == b.point; };
    if (std::equal(pins_.begin(), pins_.end(), halfway_.begin(), halfway_.end(), same)) return;
    halfway_ = pins_;
    for (Pin& pin : halfway_) pin.position = 0.5 * (Vec3(point(state.x, pin.point)) + pin.position);
  }
  static void set_speed(State& state, int i, const Vector& from, const Vec3& to, double h) {
    point(state.v, i) = (to - point(from, i)) / h;
  }

  const System& system_;
  DampingSettings settings_;
  int parts_;
  DampingFlow flow_;
  std::unique_ptr<Integrator> base_;
  std::vector<Pin> pins_, halfway_;
};

}  // namespace

std::unique_ptr<Integrator> make_split_damping(const System& system, const IntegratorSettings& settings,
                                               int parts, std::unique_ptr<Integrator> base,
                                               std::shared_ptr<StrainFlow> flow) {
  return std::make_unique<SplitDamping>(system, settings, parts, std::move(base), std::move(flow));
}

}  // namespace verve
