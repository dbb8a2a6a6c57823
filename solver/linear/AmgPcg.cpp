#include "linear/AmgPcg.h"

#include "base/Error.h"

namespace verve {

void AmgPcg::analyze(std::shared_ptr<const BlockPattern> pattern) {
  if (positions_.size() != 3 * Eigen::Index(pattern->rows()))
    throw SimulationError("The multigrid solver needs the positions of all points.");
  pcg_.resize(pattern->rows());
  built_ = false;
}

bool AmgPcg::factorize(const BlockMatrix& a) {
  if (built_) {
    built_ = amg_.refresh(a);
  } else {
    ++factorizations_;
    built_ = amg_.build(a, positions_);
  }
  failed_point_ = amg_.failed_point();
  return built_;
}

bool AmgPcg::solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) {
  constexpr int most_iterations = 2000;
  const Pcg::Result result = pcg_.run(a, b, x, tolerance, most_iterations, amg_, true);
  iterations_ += pcg_.iterations();
  return result == Pcg::Result::converged;
}

}  // namespace verve
