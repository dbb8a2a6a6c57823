#include "linear/IterativeSolver.h"

#include "base/PhaseTimes.h"

namespace verve {
namespace {

constexpr double price_of_hierarchy = 8;  // in iterations, over a refresh; measured

}  // namespace

void IterativeSolver::analyze(std::shared_ptr<const BlockPattern> pattern) {
  multigrid_ = pattern->rows() > 0 && positions_.size() == 3 * Eigen::Index(pattern->rows());
  built_ = false;
  if (!multigrid_) jacobi_.analyze(*pattern);
  pcg_.resize(pattern->rows());
}

bool IterativeSolver::factorize(const BlockMatrix& a) {
  const InPhase phase(Phase::factor);
  if (multigrid_) return factorize_multigrid(a);
  failed_point_ = jacobi_.factorize(a);
  return failed_point_ < 0;
}

bool IterativeSolver::factorize_multigrid(const BlockMatrix& a) {
  if (built_ && !policy_.due()) {
    built_ = amg_.refresh(a);
  } else {
    ++factorizations_;
    built_ = amg_.build(a, positions_);
    policy_.renewed(price_of_hierarchy);
  }
  failed_point_ = amg_.failed_point();
  return built_;
}

bool IterativeSolver::solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) {
  const InPhase phase(Phase::solve);
  // Without round-off CG ends after as many iterations as there are unknowns.
  const int most_iterations = multigrid_ ? 1000 : 10 * int(b.size()) + 100;
  Preconditioner& preconditioner = multigrid_ ? static_cast<Preconditioner&>(amg_) : jacobi_;
  const Pcg::Result result = pcg_.run(a, b, x, tolerance, most_iterations, preconditioner, true);
  iterations_ += pcg_.iterations();
  policy_.solved(pcg_.iterations(), tolerance);
  return result == Pcg::Result::converged;
}

}  // namespace verve
