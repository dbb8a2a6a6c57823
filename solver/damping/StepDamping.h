// The damping that acts inside an implicit step, as a term of the function that the step minimises.
#pragma once

#include "damping/DampingSettings.h"
#include "integrator/System.h"

namespace verve {

/// How the step that asks uses damping.
struct StepDampingUse {
  /// Where on the chord the damping's matrix is taken: what turns about there is not damped.
  double place = 0.5;
  /// True for HP: the paper's own forms act as an impulse before the step (F^d-) rather than along it; the
  /// others have their matrix brought to the true place on the chord, so that angular momentum is kept.
  bool variational = false;
};

/// Valid for one step from begin() on. Does nothing for models that act outside the step.
class StepDamping {
 public:
  StepDamping(const System& system, const DampingSettings& settings);

  bool active() const { return active_; }

  /// For the step of h seconds along `chord` that starts with velocity v0.
  void begin(const Chord& chord, const Vector& v0, double h, const StepDampingUse& use);
  /// The term's value; adds its gradient.
  double evaluate(const Vector& x, Vector& gradient);
  void add_hessian(const Vector& x, double filter, BlockMatrix& hessian) const;
  /// Brings the matrix from the place foreseen in begin() to that on the chord to x, where it is heavy or
  /// use.variational asks for it. True when it changed.
  bool refresh(const Vector& x);

  /// Adds the average force along the chord, less its sign, unless it is an impulse before it.
  void add_average_gradient(const Vector& x, Vector& gradient);
  /// Adds the impulse, spread over the step as a force, less its sign.
  void add_impulse_gradient(const Vector& x, Vector& gradient);
  /// What it takes out over the step (J).
  double dissipated(const Vector& x);

 private:
  void assemble(const Vector& x);
  /// The damping force, less its sign: D (rate dx - v_lag), or delta/h times the gradient of the strain
  /// change.
  void force(const Vector& x, Vector& out);

  const System& system_;
  DampingSettings settings_;
  bool active_ = false, nonlinear_ = false, impulse_ = false;
  Vector multiplier_;
  StepDampingUse use_;
  int refreshes_ = 0;
  Vector x0_, v0_, lag_, place_, dx_, force_;
  double h_ = 0.0, weight_ = 0.0, rate_ = 0.0, strain_delta_ = 0.0;
  BlockMatrix matrix_;
};

}  // namespace verve
