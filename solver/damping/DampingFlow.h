// The damping that acts between steps, on velocities alone.
#pragma once

#include "constraint/Conditions.h"
#include "damping/DampingSettings.h"
#include "integrator/State.h"
#include "linear/LinearSolver.h"

namespace verve {

/// Follows M dv/dt = -(delta B^T C B(x) + eta M) v with positions at rest. delta's part by the two-stage
/// SDIRK rule of order 2 that is L-stable (gamma = 1 - 1/sqrt 2), eta's part exactly. Rigid motion is not
/// slowed by delta, and no kinetic energy is ever added.
class DampingFlow {
 public:
  DampingFlow(const System& system, const DampingSettings& settings, LinearKind linear);

  /// Advances the velocities of the points that are not held by t seconds, with `delta` in place of that of
  /// the settings, and keeps the ledger. False when the linear system could not be solved.
  bool advance(double delta, double t, State& state);

  /// As LinearSolver::forget().
  void forget() {
    if (solver_) solver_->forget();
  }
  long factorizations() const { return solver_ ? solver_->factorizations() : 0; }
  long iterations() const { return solver_ ? solver_->iterations() : 0; }

 private:
  bool advance_strain_rate(double delta, double t, State& state);
  void advance_mass(double t, State& state) const;
  /// Adds the implicit stage that starts at `start`: increment = (M + c D)^-1 (-c D start).
  bool stage(double c, const Vector& start, const std::vector<int>& held);

  const System& system_;
  DampingSettings settings_;
  Vector multiplier_;
  Conditions conditions_;
  std::unique_ptr<LinearSolver> solver_;
  BlockMatrix damping_, shifted_;
  Vector product_, increment_, middle_;
};

}  // namespace verve
