// Conjugate gradients with the block-Jacobi preconditioner: little memory, no symbolic work.
#pragma once

#include "linear/BlockJacobi.h"
#include "linear/LinearSolver.h"

namespace verve {

class JacobiPcg : public LinearSolver {
 public:
  void analyze(std::shared_ptr<const BlockPattern> pattern) override;
  bool factorize(const BlockMatrix& a) override;
  bool solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) override;

 private:
  BlockJacobi jacobi_;
  Pcg pcg_;
};

}  // namespace verve
