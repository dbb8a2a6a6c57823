#include "scheme/ExplicitHamiltonPontryagin.h"

#include "constraint/LinearizedConstraints.h"
#include "contact/Contacts.h"
#include "integrator/Stability.h"
#include "system/Boundary.h"

namespace verve {
namespace {

class ExplicitHp final : public Integrator {
 public:
  ExplicitHp(System& system, bool drift_first, const DampingSettings& damping)
      : system_(system),
        damping_(damping),
        drift_first_(drift_first),
        conditions_(system.constraints, system.mass) {
    const bool impulse = damping.model == DampingModel::hp || damping.model == DampingModel::hp_frozen;
    kd_ = impulse ? damping.delta : 0.0;
    frozen_ = damping.model == DampingModel::hp_frozen;
    if (frozen_ && kd_ > 0.0) matrix_ = BlockMatrix(system.pattern);
    chord_.samples = {{1.0, 1.0}};
  }

  StepReport step(const Drivers& drivers, State& state, double h) override {
    boundary_.begin(system_, drivers, state, h);
    if (conditions_.active()) {
      system_.constraints.check_held(state.held);
      conditions_.begin(state.held);
    }
    const Vector x0 = state.x, v0 = state.v;
    chord_.x0 = x0;
    v_ = state.v;
    if (drift_first_) {
      drift(h);
      gradient_ = -system_.weight;
      for (const auto& energy : system_.elastic) energy->at(x_, &gradient_);
      system_.targets.evaluate(at_end_, x_, &gradient_);
      for (const auto& term : system_.terms) term->add_explicit_gradient(x_, v_, gradient_);
      if (system_.contacts) system_.contacts->add_explicit_gradient(x_, x_, gradient_);
      kick(h);
      add_damping(x0, x_, state);
    } else {
      gradient_ = -system_.weight;
      for (const auto& energy : system_.elastic) energy->at(state.x, &gradient_);
      system_.targets.add_start_gradient(state.x, gradient_);
      for (const auto& term : system_.terms) term->add_explicit_gradient(state.x, state.v, gradient_);
      if (system_.contacts)
        system_.contacts->add_explicit_gradient(state.x, state.x + h * state.v, gradient_);
      kick(h);
      // The strain of the step before, known without a solve (F^d+ of that step).
      if (state.h_before != 0.0) add_damping(state.x_before, x0, state);
      drift(h);
    }
    if (conditions_.active()) gradient_ -= constraint_force_;
    boundary_.end(system_, chord_, gradient_, x_, v_, state);
    if (conditions_.active()) {
      conditions_.linearize(state.x);
      state.constraint_force = lambda_ + conditions_.project_motion(state.v) / h;
    }
    state.x_before = x0;
    state.v_before = v0;
    state.h_before = h;
    StepReport report;
    report.problem = blow_up(system_, state, h);
    report.solved = constrained_ && report.problem.empty();
    return report;
  }

 private:
  void kick(double h) { v_.array() += h * (boundary_.force() - gradient_).array() / system_.mass.array(); }
  void drift(double h) {
    x_ = chord_.x0 + h * v_;
    boundary_.place(x_);
    if (!conditions_.active()) return;
    // The constraints' impulse acts at the step's start, whichever of kick and drift comes first.
    conditions_.linearize(chord_.x0);
    held_off_ = x_;
    constrained_ = conditions_.satisfy(x_);
    held_off_ = (x_ - held_off_).cwiseProduct(system_.mass) / (h * h);
    v_ += h * held_off_.cwiseQuotient(system_.mass);
    conditions_.project_gradient(held_off_, lambda_);
    lambda_ *= -1.0;
    constraint_force_.setZero(x_.size());
    conditions_.add_force(1.0, lambda_, constraint_force_);
  }

  /// The paper's impulse -kD grad W(C(from, to)), at `to`, where it has no torque.
  void add_damping(const Vector& from, const Vector& to, State& state) {
    if (kd_ == 0.0) return;
    impulse_.setZero(to.size());
    if (frozen_) {
      if (matrix_.pattern != system_.pattern) matrix_ = BlockMatrix(system_.pattern);
      std::fill(matrix_.values.begin(), matrix_.values.end(), 0.0);
      for (const auto& energy : system_.elastic)
        energy->add_strain_change_hessian(to, to, kd_, damping_.multipliers(), 1.0, matrix_);
      matrix_.multiply(to - from, impulse_);
    } else {
      for (const auto& energy : system_.elastic)
        energy->strain_change(from, to, kd_, damping_.multipliers(), &impulse_);
    }
    boundary_.mask(impulse_);
    // What an impulse takes out is its product with the mean of the velocities before and after it.
    double taken = 0.5 * impulse_.dot(v_);
    v_.array() -= impulse_.array() / system_.mass.array();
    taken += 0.5 * impulse_.dot(v_);
    state.ledger.dissipated += taken;
  }

  System& system_;
  DampingSettings damping_;
  bool drift_first_, frozen_ = false;
  double kd_ = 0.0;
  Boundary boundary_;
  LinearizedConstraints conditions_;
  bool constrained_ = true;
  Vector held_off_, lambda_, constraint_force_;
  Chord chord_, at_end_{{}, {{1.0, 1.0}}};
  BlockMatrix matrix_;
  Vector gradient_, x_, v_, impulse_;
};

}  // namespace

std::unique_ptr<Integrator> make_explicit_hp(System& system, bool drift_first,
                                             const DampingSettings& damping) {
  return std::make_unique<ExplicitHp>(system, drift_first, damping);
}

}  // namespace verve
