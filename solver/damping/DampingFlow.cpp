#include "damping/DampingFlow.h"

#include <cmath>

#include "integrator/Boundary.h"

namespace verve {

DampingFlow::DampingFlow(const System& system, const DampingSettings& settings, LinearKind linear)
    : system_(system), settings_(settings), conditions_(system.constraints, system.mass) {
  multiplier_ =
      Eigen::Map<const Vector>(settings.multiplier.data(), Eigen::Index(settings.multiplier.size()));
  if (settings.delta == 0.0) return;
  solver_ = make_conditioned_solver(linear, conditions_);
  if (system.rest.size() != 0) solver_->set_positions(system.rest);
  solver_->analyze(system.pattern);
  damping_ = BlockMatrix(system.pattern);
  shifted_ = BlockMatrix(system.pattern);
  for (Vector* v : {&product_, &increment_, &middle_}) *v = Vector::Zero(system.mass.size());
}

void DampingFlow::advance_mass(double t, State& state) const {
  if (settings_.eta == 0.0) return;
  auto held = state.held.begin();
  for (int i = 0; i < system_.points(); ++i) {
    if (held != state.held.end() && *held == i) {
      ++held;
      continue;
    }
    point(state.v, i) *= std::exp(-settings_.eta * t * (multiplier_.size() ? multiplier_[i] : 1.0));
  }
}

bool DampingFlow::stage(double c, const Vector& start, const std::vector<int>& held) {
  damping_.multiply(start, product_);
  product_ *= -c;
  for (int i : held) point(product_, i).setZero();
  // Tight, as what the solve leaves over is lost momentum.
  for (double tolerance : {1e-13, 1e-9})
    if (solver_->solve(shifted_, product_, increment_, tolerance)) return increment_.allFinite();
  return false;
}

bool DampingFlow::advance_strain_rate(double delta, double t, State& state) {
  if (delta == 0.0) return true;
  const double gamma = 1.0 - std::sqrt(0.5), c = gamma * t;
  if (damping_.pattern != system_.pattern) {  // contacts couple other points now
    solver_->analyze(system_.pattern);
    damping_ = BlockMatrix(system_.pattern);
    shifted_ = BlockMatrix(system_.pattern);
  }
  std::fill(damping_.values.begin(), damping_.values.end(), 0.0);
  for (const auto& energy : system_.elastic)
    energy->add_strain_change_hessian(state.x, state.x, delta, multiplier_, 1.0, damping_);
  for (std::size_t k = 0; k < damping_.values.size(); ++k) shifted_.values[k] = c * damping_.values[k];
  for (int i = 0; i < system_.points(); ++i)
    for (int d : {0, 4, 8})
      shifted_.values[9 * std::size_t(shifted_.pattern->diagonal[i]) + d] +=
          system_.mass[3 * Eigen::Index(i)];
  hold(state.held, system_, shifted_);
  if (conditions_.active()) {
    conditions_.begin(state.held);
    conditions_.linearize(state.x);
  }
  if (!solver_->factorize(shifted_)) return false;

  // What held points feel during a stage times their motion is the work of whoever holds them.
  const auto work = [&](double weight, const Vector& v) {
    if (state.held.empty()) return 0.0;
    damping_.multiply(v, product_);
    double sum = 0.0;
    for (int i : state.held) sum += point(v, i).dot(point(product_, i));
    return weight * t * sum;
  };
  if (!stage(c, state.v, state.held)) return false;
  double brought = work(1.0 - gamma, middle_ = state.v + increment_);
  middle_ = state.v + (1.0 - gamma) / gamma * increment_;
  if (!stage(c, middle_, state.held)) return false;
  state.v = middle_ + increment_;
  brought += work(gamma, state.v);
  state.ledger.work += brought;
  state.ledger.dissipated += brought;
  return true;
}

bool DampingFlow::advance(double delta, double t, State& state) {
  const double before = free_kinetic(system_, state);
  advance_mass(0.5 * t, state);
  const bool solved = advance_strain_rate(delta, t, state);
  advance_mass(0.5 * t, state);
  state.ledger.dissipated += before - free_kinetic(system_, state);
  return solved;
}

}  // namespace verve
