// The outside's part in one step: which points are held and moved, what pulls and pushes, and the work it
// does.
#pragma once

#include "system/State.h"

namespace verve {

/// Books the kinetic energy of points that pins catch or let go, and lists those that are held from now on.
void change_held(const System& system, const std::vector<Pin>& pins, State& state);

/// Makes the rows and columns of held points those of their mass alone.
void hold(const std::vector<int>& held, const System& system, BlockMatrix& matrix);

class Boundary {
 public:
  /// Reads pins, targets and forces for the step from state.time over h, and books the kinetic energy of
  /// points that pins catch or let go, and the energy of targets that appear, vanish or change strength.
  void begin(System& system, const Drivers& drivers, State& state, double h);

  const Vector& force() const { return force_; }

  /// The kinetic energy that held points would have by themselves.
  double drive_energy(const System& system, const Vector& x0) const;

  /// Puts held points of x where they end.
  void place(Vector& x) const;
  /// Held points do not move by themselves: their gradient is zero, their rows and columns are the
  /// identity's.
  void mask(Vector& gradient) const;
  void mask(const System& system, BlockMatrix& hessian) const;

  /// Books the step that led to x under the average potential force -`gradient` (gravity included), sets the
  /// velocity of held points, and moves the state's clock on. `v` is the new velocity of the free points.
  void end(const System& system, const Chord& chord, const Vector& gradient, const Vector& x, const Vector& v,
           State& state);

 private:
  double h_ = 0.0;
  std::vector<Pin> pins_;
  std::vector<int> held_;
  std::vector<Target> targets_start_, targets_end_;
  Vector force_;
};

}  // namespace verve
