#include "linear/DirectSolver.h"

#include "base/PhaseTimes.h"

namespace verve {

void DirectSolver::analyze(std::shared_ptr<const BlockPattern> pattern) {
  factor_.cholesky.analyze(*pattern);
  residual_.setZero(3 * Eigen::Index(pattern->rows()));
  pcg_.resize(pattern->rows());
}

bool DirectSolver::factorize(const BlockMatrix& a) {
  const InPhase phase(Phase::factor);
  ++factorizations_;
  failed_point_ = factor_.cholesky.factorize(a);
  return failed_point_ < 0;
}

bool DirectSolver::solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) {
  const InPhase phase(Phase::solve);
  if (a.dyad_count > 0) {
    constexpr int most_iterations = 1000;
    const Pcg::Result result = pcg_.run(a, b, x, std::max(tolerance, 1e-10), most_iterations, factor_, true);
    iterations_ += pcg_.iterations();
    return result == Pcg::Result::converged;
  }
  const double scale = b.norm();
  const auto residual = [&] {
    a.multiply(x, residual_);
    residual_ = b - residual_;
    return residual_.norm();
  };
  factor_.cholesky.solve(b, x);
  double error = residual();
  if (error > 1e-13 * scale) {
    factor_.cholesky.solve(residual_, residual_);
    x += residual_;
    error = residual();
  }
  return error <= std::max(tolerance, 1e-8) * scale;
}

}  // namespace verve
