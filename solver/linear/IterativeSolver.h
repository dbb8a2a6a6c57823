// Conjugate gradients in double, for scenes whose factor would be too large.
#pragma once

#include "linear/Amg.h"
#include "linear/BlockJacobi.h"
#include "linear/LinearSolver.h"
#include "linear/RenewalPolicy.h"

namespace verve {

/// Preconditioned by multigrid when set_positions() was called before analyze(), else by block-Jacobi.
///
/// The multigrid hierarchy is made from the first matrix and its values are refreshed for the later ones,
/// until RenewalPolicy asks for a new one, made at the positions last given to set_positions(). Making one
/// allocates; factorizations() counts them.
class IterativeSolver : public LinearSolver {
 public:
  void set_positions(const Vector& positions) override { positions_ = positions; }
  void analyze(std::shared_ptr<const BlockPattern> pattern) override;
  bool factorize(const BlockMatrix& a) override;
  bool solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) override;
  void forget() override { built_ = false; }

  /// What a block-Jacobi iteration costs, in nanoseconds on one core.
  static double jacobi_time(const BlockPattern& pattern) {
    return 6.0 * pattern.blocks() + 20.0 * pattern.rows();
  }

 private:
  bool factorize_multigrid(const BlockMatrix& a);

  Vector positions_;
  Amg amg_;
  BlockJacobi jacobi_;
  Pcg pcg_;
  RenewalPolicy policy_;
  bool multigrid_ = false;
  bool built_ = false;
};

}  // namespace verve
