#include "damping/StrainFlow.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "system/Boundary.h"
#include "system/RigidMotion.h"

namespace verve {

StrainFlow::StrainFlow(const System& system, const DampingSettings& damping, LinearKind linear,
                       double tolerance)
    : system_(system),
      multiplier_(damping.multiplier),
      conditions_(system.constraints, system.mass),
      tolerance_(tolerance) {
  solver_ = make_constrained_solver(linear, conditions_);
  if (system.rest.size() != 0) solver_->set_positions(system.rest);
  solver_->analyze(system.pattern);
  jacobi_.analyze(system.pattern);
  damping_ = BlockMatrix(system.pattern);
  shifted_ = BlockMatrix(system.pattern);
  for (Vector* v : {&product_, &increment_, &middle_}) *v = Vector::Zero(system.mass.size());
}

void StrainFlow::forget() {
  solver_->forget();
  // Matrices and their diagonals depend on nothing but the place that they are made for, unless terms change
  // what the elements are made of.
  if (!use_jacobi_ || !system_.terms.empty()) x_.resize(0);
}

bool StrainFlow::prepare(const Vector& x, const Deltas& delta, double c, const std::vector<int>& held) {
  const bool same_pattern = damping_.pattern == system_.pattern;
  const long version = multiplier_ ? multiplier_->version : 0;
  if (same_pattern && version == version_ && delta == delta_ && c == c_ && held == held_ &&
      x_.size() == x.size() && x_ == x)
    return true;
  x_.resize(0);
  if (!same_pattern) {  // contacts couple other points now
    solver_->analyze(system_.pattern);
    jacobi_.analyze(system_.pattern);
    damping_ = BlockMatrix(system_.pattern);
    shifted_ = BlockMatrix(system_.pattern);
  }
  std::fill(damping_.values.begin(), damping_.values.end(), 0.0);
  for (const auto& energy : system_.elastic)
    if (delta.of(*energy) > 0.0)
      energy->add_strain_change_hessian(x, x, delta.of(*energy), multiplier_ ? multiplier_->value : Vector(),
                                        1.0, damping_);
  for (std::size_t k = 0; k < damping_.values.size(); ++k) shifted_.values[k] = c * damping_.values[k];
  for (int i = 0; i < system_.points(); ++i)
    for (int d : {0, 4, 8})
      shifted_.values[9 * std::size_t(shifted_.pattern->diagonal[i]) + d] +=
          system_.mass[3 * Eigen::Index(i)];
  hold(held, system_, shifted_);
  if (conditions_.active()) {
    conditions_.begin(held);
    conditions_.linearize(x);
  }
  use_jacobi_ = mass_rules();
  if (!(use_jacobi_ ? jacobi_.factorize(shifted_) : solver_->factorize(shifted_))) return false;
  x_ = x;
  delta_ = delta;
  c_ = c;
  held_ = held;
  version_ = version;
  return true;
}

bool StrainFlow::mass_rules() {
  // By how much damping exceeds the mass: that bounds the condition number, scaled by the diagonal blocks.
  double sum = 0.0;
  largest_ = 0.0;
  for (int i = 0; i < system_.points(); ++i) {
    const double* block = &shifted_.values[9 * std::size_t(shifted_.pattern->diagonal[i])];
    const double mean = (block[0] + block[4] + block[8]) / 3.0;
    largest_ = std::max(largest_, mean);
    sum += mean / system_.mass[3 * Eigen::Index(i)];
  }
  const double condition = 2.0 * sum / std::max(1, system_.points());
  // Conjugate gradients need at most sqrt(condition)/2 times this logarithm; measured, three quarters of it.
  const double iterations = 0.37 * std::sqrt(condition) * std::log(2.0 / tolerance_);
  return iterations * IterativeSolver::jacobi_time(*shifted_.pattern) < solver_->usual_time();
}

bool StrainFlow::stage(double c, const Vector& start, const std::vector<int>& held) {
  damping_.multiply(start, product_);
  product_ *= -c;
  for (int i : held) point(product_, i).setZero();
  // Motion that has died away to nothing still has a direction, but its squares are no longer numbers; and
  // what round-off leaves of rigid motion's damping is nothing.
  constexpr double round_off = 1e-14;
  const double size = product_.lpNorm<Eigen::Infinity>(),
               nothing = round_off * largest_ * start.lpNorm<Eigen::Infinity>();
  if (size < std::max(nothing, std::numeric_limits<double>::min())) {
    increment_.setZero();
    return true;
  }
  product_ /= size;
  // Where constraints join pieces nothing mends the momentum that a solve leaves over.
  const double tight = conditions_.active() ? 1e-13 : tolerance_;
  LinearSolver& solver = use_jacobi_ ? jacobi_ : *solver_;
  for (double tolerance : {tight, 1e3 * tight})
    if (solver.solve(shifted_, product_, increment_, tolerance)) {
      increment_ *= size;
      return increment_.allFinite();
    }
  return false;
}

void StrainFlow::balance(const Vector& x, const std::vector<int>& held, Vector& change) const {
  const std::vector<RigidMotion> pieces = rigid_motions(system_, x, change, held);
  std::vector<Vec3> spins;
  for (const RigidMotion& r : pieces) spins.push_back(r.held ? Vec3::Zero() : r.spin(r.spin_momentum()));
  for (int i = 0; i < system_.points(); ++i) {
    const RigidMotion& r = pieces[system_.piece[i]];
    if (r.held) continue;
    const Vec3 drift = r.linear / r.mass + spins[system_.piece[i]].cross(Vec3(point(x, i)) - r.centre);
    point(change, i) -= drift;
  }
}

bool StrainFlow::advance(const Vector& x, const Deltas& delta, double t, const std::vector<int>& held,
                         Vector& v, Vector& impulse) {
  impulse.setZero(v.size());
  if (delta.largest() == 0.0) return true;
  const double gamma = 1.0 - std::sqrt(0.5), c = gamma * t;
  if (!prepare(x, delta, c, held)) return false;

  if (!stage(c, v, held)) return false;
  const auto pull = [&](double weight, const Vector& at) {
    if (held.empty()) return;
    damping_.multiply(at, product_);
    for (int i : held) point(impulse, i) -= weight * t * point(product_, i);
  };
  pull(1.0 - gamma, middle_ = v + increment_);
  middle_ = v + (1.0 - gamma) / gamma * increment_;
  if (!stage(c, middle_, held)) return false;
  pull(gamma, middle_ += increment_);
  change_ = middle_ - v;
  if (!conditions_.active()) balance(x, held, change_);
  v += change_;
  auto next = held.begin();
  for (int i = 0; i < system_.points(); ++i) {
    if (next != held.end() && *next == i)
      ++next;
    else
      point(impulse, i) = system_.mass[3 * Eigen::Index(i)] * point(change_, i);
  }
  return true;
}

}  // namespace verve
