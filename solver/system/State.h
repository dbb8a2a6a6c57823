// Everything that changes during a run. Resuming from a saved State equals the unbroken run.
#pragma once

#include <vector>

#include "constraint/Drivers.h"
#include "contact/ContactState.h"
#include "system/System.h"

namespace verve {

/// Where the energy is, in joules. Held points have no kinetic energy of their own: whoever holds them has
/// it.
struct EnergyLevels {
  double kinetic = 0.0, elastic = 0.0, gravity = 0.0, contact = 0.0;
  double total() const { return kinetic + elastic + gravity + contact; }
};

/// The books of a run: what went in and out since its start, and how large its energy has been.
struct Ledger {
  bool open = false;
  double start_total = 0.0;
  double largest = 0.0;     ///< of kinetic + elastic + contact
  double dissipated = 0.0;  ///< taken out by damping and friction
  double work = 0.0;        ///< brought in by pins, targets, moving colliders and outside forces
  double projected = 0.0;   ///< brought in by projections of the velocity
  /// What contacts brought in (or took, less than 0) that no motion did: springs that were let go or whose
  /// gap had to be set anew. Part of `work` and `dissipated`.
  double booked = 0.0;

  /// What the total should be by now.
  double expected_total() const { return start_total - dissipated + work; }
  /// (total - expected) / largest: 0 when the books close.
  double error(double total) const;
  /// The same as if no projection had been made.
  double raw_drift(double total) const { return error(total - projected); }
};

/// About the world's origin.
struct Momenta {
  Vec3 linear, angular;
};

/// What the choice of steps inside a frame goes by, beside the motion itself.
struct StepMemory {
  int level = 0;  ///< the next step is a 2^level-th of a frame, if nothing speaks against it
  std::vector<Vec3>
      push;  ///< contact's mean force (N) and torque (N m) on each piece in the last step; see Island
};

struct State {
  double time = 0.0;
  /// Positions and velocities. For Hamilton-Pontryagin v is p/M, the momentum that it carries from step to
  /// step; its staggered velocity is chord_velocity().
  Vector x, v;
  /// The step before, for multi-step and HP schemes and for the first guess of a step; h_before is 0 when
  /// there is none.
  Vector x_before, v_before;
  double h_before = 0.0;
  std::vector<int> held;       ///< points that pins hold, ascending
  double target_energy = 0.0;  ///< of the targets at the last step's end
  ContactState contact;
  std::vector<TermMemory> terms;    ///< of each of the system's terms; empty before the first step
  std::vector<Vec3> momentum_owed;  ///< angular momentum that projection still has to give each piece
  /// The forces (N) that held the constraints during the last step, one a row: along the row's gradient, so
  /// that a rod under tension has a negative one.
  Vector constraint_force;
  StepMemory steps;
  Ledger ledger;
};

/// (x - x_before)/h_before: the v that Hamilton-Pontryagin holds between positions q, beside its momenta p =
/// M state.v.
Vector chord_velocity(const State& state);

/// Total momenta, all points included.
Momenta momenta(const System& system, const Vector& x, const Vector& v);

/// The kinetic energy of the points that are not held.
double free_kinetic(const System& system, const State& state);

/// The energies of a state.
EnergyLevels measure(const System& system, const State& state);

/// Opens the ledger at the run's first state, and lets it know the present energy.
void record(const EnergyLevels& levels, Ledger& ledger);

}  // namespace verve
