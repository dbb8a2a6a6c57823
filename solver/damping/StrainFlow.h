// Velocities slowed by the resistance of bodies to changing their shape.
#pragma once

#include "constraint/LinearizedConstraints.h"
#include "damping/DampingSettings.h"
#include "linear/IterativeSolver.h"
#include "system/System.h"

namespace verve {

/// The flow of M dv/dt = -delta B^T C B(x) v at fixed positions x, by the two-stage SDIRK rule of order 2
/// that is L-stable (gamma = 1 - 1/sqrt 2). Rigid motion is not slowed, and no kinetic energy is ever added.
class StrainFlow {
 public:
  /// Of `damping` the multipliers count. `tolerance` is that of the linear solves.
  StrainFlow(const System& system, const DampingSettings& damping, LinearKind linear,
             double tolerance = 1e-8);

  /// Advances the velocities of the points that are not held by t seconds. Momenta of free pieces are kept to
  /// round-off. `impulse` is what damping gives to each point, held ones included. False when the linear
  /// system could not be solved.
  bool advance(const Vector& x, const Deltas& delta, double t, const std::vector<int>& held, Vector& v,
               Vector& impulse);

  /// As LinearSolver::forget().
  void forget();
  long factorizations() const { return solver_->factorizations(); }
  long iterations() const { return solver_->iterations() + jacobi_.iterations(); }

 private:
  /// Makes the matrices for x, unless they are there from the last call.
  bool prepare(const Vector& x, const Deltas& delta, double c, const std::vector<int>& held);
  /// Whether `shifted_` is so near to the mass that conjugate gradients with its diagonal blocks beat a
  /// factor.
  bool mass_rules();
  /// The implicit stage that starts at `start`: increment = (M + c D)^-1 (-c D start).
  bool stage(double c, const Vector& start, const std::vector<int>& held);
  /// Takes the rigid motion of free pieces out of `change`: what an inexact solve leaves over.
  void balance(const Vector& x, const std::vector<int>& held, Vector& change) const;

  const System& system_;
  std::shared_ptr<const PointScale> multiplier_;
  LinearizedConstraints conditions_;
  double tolerance_;
  std::unique_ptr<LinearSolver> solver_;
  IterativeSolver jacobi_;  ///< of matrices that the mass rules
  bool use_jacobi_ = false;
  double largest_ = 0.0;  ///< of the diagonal
  BlockMatrix damping_, shifted_;
  Vector product_, increment_, middle_, change_;

  // What the matrices are made for; empty x: nothing.
  Vector x_;
  Deltas delta_;
  double c_ = 0.0;
  std::vector<int> held_;
  long version_ = 0;  ///< of the multiplier
};

}  // namespace verve
