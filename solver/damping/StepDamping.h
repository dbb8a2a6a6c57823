// The damping that acts inside an implicit step, as a term of the function that the step minimises.
#pragma once

#include <memory>

#include "damping/DampingSettings.h"
#include "damping/StrainFlow.h"

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
  /// `filter` is shared with what acts outside the step; null: there is no filter.
  StepDamping(const System& system, const DampingSettings& settings, std::shared_ptr<StrainFlow> filter);

  bool active() const { return active_; }
  /// True when filter() is to follow begin().
  bool filtered() const { return filter_ && shares_.filter_weight > 0.0; }

  /// For the step of h seconds along `chord` that starts with velocity v0.
  void begin(const Chord& chord, const Vector& v0, double h, const StepDampingUse& use);
  /// Filters the velocity v0 + h/2 a0 that the step's first half ends with. False when the linear system
  /// could not be solved.
  bool filter(const Vector& half_way, const std::vector<int>& held);
  /// Takes the filter out of the step where it would feed energy into the motion that led to x: its impulse
  /// is reckoned beforehand, and hard impacts may turn out otherwise. True when that changed anything.
  bool refuse_filter(const Vector& x);
  /// The term's value; adds its gradient.
  double evaluate(const Vector& x, Vector& gradient);
  void add_hessian(const Vector& x, double filter, BlockMatrix& hessian) const;
  /// Brings what depends on the place on the chord from that foreseen in begin() to that of x, where damping
  /// is heavy or use.variational asks for it. True when it changed.
  bool refresh(const Vector& x);

  /// Adds the average force along the chord, less its sign, unless it is an impulse before it.
  void add_average_gradient(const Vector& x, Vector& gradient);
  /// Adds the impulse, spread over the step as a force, less its sign.
  void add_impulse_gradient(const Vector& x, Vector& gradient);
  /// What it takes out over the step (J).
  double dissipated(const Vector& x);

 private:
  void assemble(const Vector& x);
  /// Brings `turn_` to x, by more or less than all the way (Aitken), so that it settles soon.
  void refresh_turn(const Vector& x);
  /// The gradient of the strain change's potential, delta/h |E(x) - E(x0)|^2 / 2 with the stiffness for norm.
  void strain_force(const Vector& x, Vector& out) const;
  /// The damping force, less its sign: D (rate dx - v_lag), or delta/h times the gradient of the strain
  /// change.
  void force(const Vector& x, Vector& out);

  const System& system_;
  DampingSettings settings_;
  bool active_ = false, nonlinear_ = false, impulse_ = false;
  StepDampingUse use_;
  int refreshes_ = 0;
  Vector x0_, v0_, lag_, place_, dx_, force_;
  double h_ = 0.0, weight_ = 0.0, rate_ = 0.0;
  Deltas strain_delta_;
  bool has_matrix_ = false;  // else all of it is the impulse of the filter
  // Heavy damping holds the shape over a step, and a matrix of one place cannot tell which chords keep it:
  // the change of strain from end to end can. Its potential pulls along the directions of the step's end, so
  // that `turn_`, which lags behind, brings its force to those of the place on the chord.
  bool heavy_ = false;
  Vector turn_, turn_change_, last_change_;
  double relaxation_ = 1.0;
  DampingShares shares_;
  std::shared_ptr<StrainFlow> filter_;
  Vector half_way_;
  BlockMatrix matrix_;
};

}  // namespace verve
