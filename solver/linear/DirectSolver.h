// Solves by a Cholesky factor in double precision.
#pragma once

#include "linear/LinearSolver.h"
#include "linear/Pcg.h"
#include "linear/SupernodalCholesky.h"

namespace verve {

class DirectSolver : public LinearSolver {
 public:
  void analyze(std::shared_ptr<const BlockPattern> pattern) override;
  bool factorize(const BlockMatrix& a) override;
  /// To round-off, with one step of iterative refinement where the first answer is worse than that; by
  /// conjugate gradients where the matrix has dyads, which the factor does not know.
  bool solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) override;

 private:
  struct Factor : Preconditioner {
    void apply(const Vector& r, Vector& z) override { cholesky.solve(r, z); }
    SupernodalCholesky<double> cholesky;
  };
  Factor factor_;
  Pcg pcg_;
  Vector residual_;
};

}  // namespace verve
