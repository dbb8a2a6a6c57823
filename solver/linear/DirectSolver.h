// Solves by a Cholesky factor in double precision.
#pragma once

#include <Eigen/SparseCholesky>

#include "linear/LinearSolver.h"

namespace verve {

class DirectSolver : public LinearSolver {
 public:
  void analyze(std::shared_ptr<const BlockPattern> pattern) override;
  bool factorize(const BlockMatrix& a) override;
  bool solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) override;

 private:
  Eigen::SparseMatrix<double> matrix_;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor_;
};

}  // namespace verve
