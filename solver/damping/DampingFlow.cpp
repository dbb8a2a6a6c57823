#include "damping/DampingFlow.h"

#include <cmath>

#include "base/PhaseTimes.h"
#include "system/Boundary.h"

namespace verve {

DampingFlow::DampingFlow(const System& system, const DampingSettings& settings,
                         std::shared_ptr<StrainFlow> strain)
    : system_(system), settings_(settings), strain_(std::move(strain)) {}

void DampingFlow::advance_mass(double t, State& state) const {
  if (settings_.eta == 0.0) return;
  const Vector& multiplier = settings_.multipliers();
  auto held = state.held.begin();
  for (int i = 0; i < system_.points(); ++i) {
    if (held != state.held.end() && *held == i) {
      ++held;
      continue;
    }
    point(state.v, i) *= std::exp(-settings_.eta * t * (multiplier.size() ? multiplier[i] : 1.0));
  }
}

bool DampingFlow::advance(const Deltas& delta, double t, State& state) {
  const InPhase phase(Phase::damping, InPhase::whole);
  const double before = free_kinetic(system_, state);
  advance_mass(0.5 * t, state);
  bool solved = true;
  if (strain_) {
    solved = strain_->advance(state.x, delta, t, state.held, state.v, impulse_);
    // What held points feel times their motion is the work of whoever holds them.
    double brought = 0.0;
    for (int i : state.held) brought -= point(impulse_, i).dot(point(state.v, i));
    state.ledger.work += brought;
    state.ledger.dissipated += brought;
  }
  advance_mass(0.5 * t, state);
  state.ledger.dissipated += before - free_kinetic(system_, state);
  return solved;
}

}  // namespace verve
