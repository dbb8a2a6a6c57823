#include "linear/Pcg.h"

#include <cmath>

#include "base/Parallel.h"

namespace verve {
namespace {

constexpr int points_per_piece = 2048;

double dot(const Vector& a, const Vector& b) {
  return parallel_sum(int(a.size() / 3), points_per_piece, [&](int begin, int end) {
    const Eigen::Index at = 3 * Eigen::Index(begin), n = 3 * Eigen::Index(end - begin);
    return a.segment(at, n).dot(b.segment(at, n));
  });
}

}  // namespace

void Pcg::resize(int points) {
  for (Vector* v : {&r_, &z_, &p_, &q_}) v->setZero(3 * Eigen::Index(points));
}

Pcg::Result Pcg::run(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance, int max_iterations,
                     Preconditioner& preconditioner, bool from_zero) {
  iterations_ = 0;
  const double target = tolerance * tolerance * dot(b, b);
  if (from_zero) {
    x.setZero(b.size());
    r_ = b;
  } else {
    a.multiply(x, r_);
    r_ = b - r_;
  }
  residual_ = dot(r_, r_);
  // The recursive residual drifts from the true one; each round starts again from the true residual.
  for (double last = INFINITY; residual_ > target;) {
    if (!(residual_ < 0.25 * last))
      return std::isfinite(residual_) ? Result::stagnated : Result::negative_curvature;
    last = residual_;
    const Result result = descend(a, x, target, max_iterations, preconditioner);
    if (result != Result::converged) return result;
    a.multiply(x, q_);
    r_ = b - q_;
    residual_ = dot(r_, r_);
  }
  return Result::converged;
}

Pcg::Result Pcg::descend(const BlockMatrix& a, Vector& x, double target, int max_iterations,
                         Preconditioner& preconditioner) {
  const int points = int(x.size() / 3);
  preconditioner.apply(r_, z_);
  p_ = z_;
  double rz = dot(r_, z_);
  while (residual_ > target) {
    if (iterations_ >= max_iterations) return Result::out_of_iterations;
    const double curvature = a.multiply_dot(p_, q_);
    if (!(curvature > 0)) return Result::negative_curvature;
    if (!(rz > 0)) return Result::stagnated;
    ++iterations_;
    const double alpha = rz / curvature;
    residual_ = parallel_sum(points, points_per_piece, [&](int begin, int end) {
      double sum = 0.0;
      for (Eigen::Index i = 3 * Eigen::Index(begin); i < 3 * Eigen::Index(end); ++i) {
        x[i] += alpha * p_[i];
        r_[i] -= alpha * q_[i];
        sum += r_[i] * r_[i];
      }
      return sum;
    });
    if (residual_ <= target) break;
    preconditioner.apply(r_, z_);
    const double next = dot(r_, z_), beta = next / rz;
    rz = next;
    parallel_pieces(points, points_per_piece, [&](int begin, int end) {
      for (Eigen::Index i = 3 * Eigen::Index(begin); i < 3 * Eigen::Index(end); ++i)
        p_[i] = z_[i] + beta * p_[i];
    });
  }
  return Result::converged;
}

}  // namespace verve
