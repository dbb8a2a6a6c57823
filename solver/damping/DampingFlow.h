// The damping that acts between steps, on velocities alone.
#pragma once

#include <memory>

#include "damping/DampingSettings.h"
#include "damping/StrainFlow.h"
#include "system/State.h"

namespace verve {

/// Follows M dv/dt = -(delta B^T C B(x) + eta M) v with positions at rest: delta's part by StrainFlow, eta's
/// part exactly. Rigid motion is not slowed by delta, and no kinetic energy is ever added.
class DampingFlow {
 public:
  /// `strain` may serve others as well; null: without delta.
  DampingFlow(const System& system, const DampingSettings& settings, std::shared_ptr<StrainFlow> strain);

  /// Advances the velocities of the points that are not held by t seconds, with `delta` in place of that of
  /// the settings, and keeps the ledger. False when the linear system could not be solved.
  bool advance(const Deltas& delta, double t, State& state);

  /// As LinearSolver::forget().
  void forget() {
    if (strain_) strain_->forget();
  }
  long factorizations() const { return strain_ ? strain_->factorizations() : 0; }
  long iterations() const { return strain_ ? strain_->iterations() : 0; }

 private:
  void advance_mass(double t, State& state) const;

  const System& system_;
  DampingSettings settings_;
  std::shared_ptr<StrainFlow> strain_;
  Vector impulse_;
};

}  // namespace verve
