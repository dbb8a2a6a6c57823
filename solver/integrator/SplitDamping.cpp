#include "integrator/SplitDamping.h"

#include <algorithm>

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
    // The flow's first half already belongs to this step: its pins hold. What it and the second half see of
    // them is how fast they go where the step begins and where it ends, as all other points do: at the speed
    // of the whole way they would tear at bodies that speed up or turn along with them.
    drivers.pins(state.time + h, pins_);
    change_held(system_, pins_, state);
    const Vector x0 = state.x;
    set_speed(state, x0, h);
    add_change(drivers, state.time, state.time + instant * h, h, state);

    StepReport report;
    report.solved = flow_.advance(delta, 0.5 * h, state);
    if (report.solved) report.add(base_->step(drivers, state, h));
    if (report.solved) {
      add_change(drivers, state.time - instant * h, state.time, h, state);
      report.solved = flow_.advance(delta, 0.5 * h, state);
      set_speed(state, x0, h);
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

  static constexpr double instant = 1.0 / 1024.0;  ///< of a step

  /// Gives pins the speed of their whole way.
  void set_speed(State& state, const Vector& from, double h) const {
    for (const Pin& pin : pins_) point(state.v, pin.point) = (pin.position - point(from, pin.point)) / h;
  }
  /// Makes it that of their motion between two times within the step. Those that are not there at both keep
  /// it.
  void add_change(const Drivers& drivers, double from, double to, double h, State& state) {
    const auto same = [this](const std::vector<Pin>& pins) {
      return std::equal(pins.begin(), pins.end(), pins_.begin(), pins_.end(),
                        [](const Pin& a, const Pin& b) { return a.point == b.point; });
    };
    const double start = from < state.time ? state.time - h : state.time;
    drivers.pins(start, begin_), drivers.pins(from, from_), drivers.pins(to, to_);
    if (!same(begin_) || !same(from_) || !same(to_)) return;
    for (std::size_t k = 0; k < pins_.size(); ++k)
      point(state.v, pins_[k].point) +=
          (to_[k].position - from_[k].position) / (to - from) - (pins_[k].position - begin_[k].position) / h;
  }

  const System& system_;
  DampingSettings settings_;
  int parts_;
  DampingFlow flow_;
  std::unique_ptr<Integrator> base_;
  std::vector<Pin> pins_, begin_, from_, to_;
};

}  // namespace

std::unique_ptr<Integrator> make_split_damping(const System& system, const IntegratorSettings& settings,
                                               int parts, std::unique_ptr<Integrator> base,
                                               std::shared_ptr<StrainFlow> flow) {
  return std::make_unique<SplitDamping>(system, settings, parts, std::move(base), std::move(flow));
}

}  // namespace verve
