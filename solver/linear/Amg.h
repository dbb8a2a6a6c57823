// Smoothed-aggregation algebraic multigrid for elasticity: the preconditioner for large scenes.
#pragma once

#include <deque>

#include "linear/AmgLevel.h"
#include "linear/Pcg.h"

namespace verve {

/// One V-cycle in float, with Chebyshev smoothing and the rigid motions of every aggregate on the coarser
/// levels (Vanek, Mandel, Brezina 1996). The hierarchy is made from one matrix and serves the later ones:
/// refresh() only recomputes the values on every level. The same bits at every number of threads.
class Amg : public Preconditioner {
 public:
  /// Makes the hierarchy for A. False when A is found not to be positive definite. Allocates.
  bool build(const BlockMatrix& a, const Vector& positions);
  /// New values on the old hierarchy. Does not allocate.
  bool refresh(const BlockMatrix& a);
  void apply(const Vector& r, Vector& z) override;

  /// The point whose diagonal block made build() or refresh() fail, or -1.
  int failed_point() const { return failed_point_; }

 private:
  void load(const BlockMatrix& a);
  bool factorize_coarsest();
  void solve_coarsest();
  AmgLevel<rigid_modes>& coarsest() { return coarse_.back(); }

  AmgLevel<3> finest_;
  std::deque<AmgLevel<rigid_modes>> coarse_;
  std::vector<double> factor_, solution_;  // dense Cholesky factor of the coarsest level
  int failed_point_ = -1;
};

}  // namespace verve
