// Solves one implicit step: minimises g(x) = 1/2 |x - y|^2_M + sum_j w_j E(x0 + s_j (x - x0)).
#pragma once

#include "constraint/LinearizedConstraints.h"
#include "damping/StepDamping.h"
#include "integrator/Integrator.h"
#include "system/Boundary.h"

namespace verve {

/// The shared engine of all implicit integrators. A step is begin(), solve(), end().
class ChordSolver final : private Objective {
 public:
  /// `filter`: see StepDamping.
  ChordSolver(System& system, const IntegratorSettings& settings,
              std::shared_ptr<StrainFlow> filter = nullptr);

  /// The chord of the step: x0 is set by begin(); the caller fills in samples, start_share and average.
  Chord chord;
  /// How the scheme takes damping inside its step.
  StepDampingUse damping_use;
  /// Where on the chord constraint forces take their direction: in the middle they do no work; at the start
  /// they are the impulses of HP (section 3.5).
  double constraint_place = 1.0;
  /// The predictor y; also filled in by the caller, between begin() and solve().
  Vector predictor;
  /// Residuals are divided by this: by what the samples weigh more than those of a step of h, in a search for
  /// rest.
  double residual_scale = 1.0;

  void begin(const Drivers& drivers, State& state, double h);

  /// The gradient of the potential energy (gravity included) less outside forces at x0.
  const Vector& start_gradient();

  /// Minimises from the free flight x0 + h v0 + h^2/2 M^-1 load. The result is in x().
  NewtonReport solve(const State& state);
  /// The same from where the step begins.
  NewtonReport solve_from_start(const State& state);
  const Vector& x() const { return x_; }

  /// Sets the state at the step's end, with v as the velocity of its free points, and books the step.
  void end(const Vector& v, State& state);

  /// The average along the chord, as the rule sees it, of the gradient of the potential energy (gravity
  /// included) and of damping; valid after solve().
  const Vector& average_gradient();
  const Vector& force() const { return boundary_.force(); }
  /// What acts on the pieces from outside, on average along the chord: gravity, forces, targets, contact (N).
  void outside_force(Vector& force) const;
  System& system() { return system_; }
  /// As Integrator::forget().
  void forget() { newton_.solver().forget(); }
  double h() const { return h_; }
  /// As Integrator::watch(): called in every iteration.
  void watch(std::function<void(double)> look) { look_ = std::move(look); }
  /// As Integrator::trace().
  void trace(NewtonTrace trace);

 private:
  Value evaluate(const Vector& x, Vector& gradient) override;
  void hessian(const Vector& x, double filter, BlockMatrix& hessian) override;
  Residual residual(const Vector& x, const Vector& gradient) const override;
  bool energy_direction(const Vector& x, Vector& direction) const override;
  double largest_step(const Vector& x, const Vector& direction) override;
  void accepted(const Vector& from, const Vector& to) override;
  bool foresee(const Vector& x, const Vector& trial) override;
  double motion(const Vector& change) const override;
  bool refresh(Vector& x, double left) override;

  NewtonReport minimize(const State& state);
  /// As start_gradient(), without contact. Terms have their share of the start in evaluate().
  const Vector& contactless_gradient();
  /// v0 + h/2 a0, friction and contact included: the velocity in the middle, as the start foresees it.
  const Vector& half_way(const State& state);

  /// Brings the constraints' directions up to date with x, and x to where they hold. True when that changed
  /// anything.
  bool constrain(Vector& x);
  /// Brings contact's lagged part up to date with x. True when that changed anything.
  bool look_at_contacts(const Vector& x);

  System& system_;
  LinearizedConstraints conditions_;
  Newton newton_;
  bool correction_;
  Boundary boundary_;
  StepDamping damping_;
  double h_ = 0.0, time_ = 0.0;
  std::function<void(double)> look_;
  double energy_scale_ = 0.0;
  double open_energy_ = 0.0;  // that the step could not close, J
  bool constrained_ = true;   // the constraints could be satisfied
  Vector multiplier_, place_, trial_, constraint_center_;
  Vector x_, load_, contactless_gradient_, start_gradient_, average_gradient_, half_way_;
  bool contactless_known_ = false;
  std::string refreshed_;          // the terms that the last refresh changed
  std::vector<char> contact_was_;  // at the last record of the trace
};

}  // namespace verve
