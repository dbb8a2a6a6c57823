#include "integrator/Stability.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <sstream>

#include "system/Boundary.h"

namespace verve {

double largest_frequency(const System& system, const State& state) {
  constexpr int most = 80;
  BlockMatrix stiffness(system.pattern);
  const Chord end{{}, {{1.0, 1.0}}};
  for (const auto& energy : system.elastic) energy->add_hessian(end, state.x, 0.0, stiffness);
  system.targets.add_hessian(end, state.x, 0.0, stiffness);
  for (const auto& term : system.terms) term->add_hessian(end, state.x, 0.0, stiffness);
  hold(state.held, system, stiffness);
  const Vector scale = system.mass.cwiseSqrt().cwiseInverse();
  // A start without symmetry, so that no mode is missed.
  Vector q(system.mass.size()), before = Vector::Zero(q.size()), w;
  for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = std::sin(1.0 + 1.7 * double(i)) + 0.3;
  for (int i : state.held) point(q, i).setZero();
  if (q.norm() == 0.0) return 0.0;
  q.normalize();
  std::vector<double> alpha, beta;
  double largest = 0.0;
  for (int k = 0; k < most; ++k) {
    stiffness.multiply(scale.cwiseProduct(q), w);
    w = scale.cwiseProduct(w);
    for (int i : state.held) point(w, i).setZero();
    alpha.push_back(q.dot(w));
    w -= alpha.back() * q;
    if (k > 0) w -= beta.back() * before;
    const double next = w.norm();
    const int n = k + 1;
    Eigen::MatrixXd t = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < n; ++i) t(i, i) = alpha[i];
    for (int i = 0; i + 1 < n; ++i) t(i, i + 1) = t(i + 1, i) = beta[i];
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(t);
    const double error = next * std::abs(eigen.eigenvectors()(n - 1, n - 1));
    largest = eigen.eigenvalues()[n - 1] + error;
    if (error <= 1e-3 * std::abs(largest)) break;
    beta.push_back(next);
    before.swap(q);
    q = w / next;
  }
  return std::sqrt(std::max(0.0, largest));
}

double stable_step(const System& system, const State& state, double alpha, double kd) {
  const double spread = std::abs(1.0 - 2.0 * alpha);
  if (spread == 0.0) return std::numeric_limits<double>::infinity();
  const double w = largest_frequency(system, state);
  if (w == 0.0) return std::numeric_limits<double>::infinity();
  // Explicitly damped swings stay bounded while h^2 w^2 + 2 h kD w^2 < 4.
  const double bound = 2.0 / (w * spread);
  return bound * bound / (kd + std::sqrt(kd * kd + bound * bound));
}

std::string blow_up(const System& system, const State& state, double h) {
  const double kinetic = free_kinetic(system, state);
  std::ostringstream text;
  if (!std::isfinite(kinetic) || !state.x.allFinite()) {
    text << "the motion blew up at " << state.time << " s: positions are no longer numbers";
  } else if (state.ledger.open) {
    // What there is to spend at this height. What damping took is left in: an unstable one takes less than
    // nothing.
    const double available = state.ledger.start_total + state.ledger.work + system.weight.dot(state.x);
    const double fall = 0.5 * h * h * system.gravity.squaredNorm() * system.mass.sum() / 3.0;
    const double scale = std::max({available, fall, 1e-4 * state.ledger.largest});
    if (scale <= 0.0 || kinetic <= 1e3 * scale) return {};
    text << "the motion blew up at " << state.time << " s: its kinetic energy is " << kinetic
         << " J where there are " << scale << " J to spend";
  } else {
    return {};
  }
  text << "; use more substeps, an integrator that keeps the energy (avf), or softer material";
  return text.str();
}

}  // namespace verve
