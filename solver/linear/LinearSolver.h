// One door to every way of solving the Newton system.
#pragma once

#include <memory>

#include "linear/BlockMatrix.h"

namespace verve {

/// Solves A x = b for symmetric positive definite A. Symbolic work happens once a pattern; after analyze() no
/// call allocates, but for the rare one that makes a new multigrid hierarchy. Results have the same bits at
/// every number of threads and repeat from run to run.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Where the points are, for multigrid, which profits from knowing the rigid motions: without it, it is not
  /// used. Call it before analyze(), and again from time to time when the points have moved far.
  virtual void set_positions(const Vector&) {}

  /// Symbolic work for matrices of this pattern.
  virtual void analyze(std::shared_ptr<const BlockPattern> pattern) = 0;

  /// Prepares solve() for these values: call it whenever they have changed. False when A is found not to be
  /// positive definite; failed_point() then says where.
  virtual bool factorize(const BlockMatrix& a) = 0;

  /// x = A^-1 b up to |b - A x| <= tolerance |b|; direct solvers go to round-off whatever the tolerance.
  /// False when A turns out not to be positive definite or the tolerance is out of reach.
  virtual bool solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) = 0;

  /// Drops what was kept from earlier matrices to save time, so that the next result does not depend on them:
  /// a run resumed from here then equals the unbroken one.
  virtual void forget() {}

  /// What a solve is expected to cost, its share of factorisations included, in nanoseconds on one core;
  /// known after analyze(); 0 where nobody
  /// knows.
  virtual double usual_time() const { return 0.0; }

  /// The point at which A was found not to be positive definite, or -1 when that is not known.
  int failed_point() const { return failed_point_; }
  /// Counted since construction.
  long factorizations() const { return factorizations_; }
  long iterations() const { return iterations_; }

 protected:
  int failed_point_ = -1;
  long factorizations_ = 0;
  long iterations_ = 0;
};

/// automatic: a kept float factor or multigrid as preconditioner, whichever should be faster; direct:
/// Cholesky in double; iterative: multigrid when the positions are known, else block-Jacobi.
enum class LinearKind { automatic, direct, iterative };

std::unique_ptr<LinearSolver> make_linear_solver(LinearKind kind);

}  // namespace verve
