// Conjugate gradients in double with the multigrid preconditioner: the solver for large scenes.
#pragma once

#include "linear/Amg.h"
#include "linear/LinearSolver.h"

namespace verve {

/// The hierarchy is made from the first matrix (so the first factorize() after analyze() allocates) and its
/// values are refreshed for the later ones. Needs set_positions(). factorizations() counts hierarchies.
class AmgPcg : public LinearSolver {
 public:
  void set_positions(const Vector& positions) override { positions_ = positions; }
  void analyze(std::shared_ptr<const BlockPattern> pattern) override;
  bool factorize(const BlockMatrix& a) override;
  bool solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) override;

 private:
  Vector positions_;
  Amg amg_;
  Pcg pcg_;
  bool built_ = false;
};

}  // namespace verve
