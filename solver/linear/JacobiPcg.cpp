#include "linear/JacobiPcg.h"

namespace verve {

void JacobiPcg::analyze(std::shared_ptr<const BlockPattern> pattern) {
  jacobi_.analyze(pattern);
  pcg_.resize(pattern->rows());
}

bool JacobiPcg::factorize(const BlockMatrix& a) {
  failed_point_ = jacobi_.factorize(a);
  return failed_point_ < 0;
}

bool JacobiPcg::solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) {
  // In exact arithmetic CG ends after as many iterations as there are unknowns; round-off asks for some more.
  const int most = 10 * int(b.size()) + 100;
  const Pcg::Result result = pcg_.run(a, b, x, tolerance, most, jacobi_, true);
  iterations_ += pcg_.iterations();
  return result == Pcg::Result::converged;
}

}  // namespace verve
