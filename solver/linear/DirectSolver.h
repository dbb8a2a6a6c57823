// Solves by a Cholesky factor in double precision.
#pragma once

#include "linear/LinearSolver.h"
#include "linear/SupernodalCholesky.h"

namespace verve {

class DirectSolver : public LinearSolver {
 public:
  void analyze(std::shared_ptr<const BlockPattern> pattern) override;
  bool factorize(const BlockMatrix& a) override;
  /// To round-off, with one step of iterative refinement where the first answer is worse than that.
  bool solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) override;

 private:
  SupernodalCholesky<double> factor_;
  Vector residual_;
};

}  // namespace verve
