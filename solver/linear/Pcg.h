// Conjugate gradients on a block matrix, with any preconditioner.
#pragma once

#include "linear/BlockMatrix.h"

namespace verve {

/// Approximates the inverse of a symmetric positive definite matrix by a symmetric positive definite one.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// z = M^-1 r
  virtual void apply(const Vector& r, Vector& z) = 0;
};

/// The iteration and its vectors. All sums are in a fixed order: the same bits at every number of threads.
class Pcg {
 public:
  enum class Result {
    converged,
    out_of_iterations,   ///< x is the best so far, a start for another run()
    negative_curvature,  ///< A is not positive definite
    stagnated            ///< round-off (of A or of the preconditioner) keeps the residual above the tolerance
  };

  void resize(int points);

  /// Goes on from x until the true residual |b - A x| <= tolerance |b|. `from_zero`: x is set to 0 first,
  /// which saves a product.
  Result run(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance, int max_iterations,
             Preconditioner& preconditioner, bool from_zero);

  /// Iterations of the last run().
  int iterations() const { return iterations_; }

 private:
  Result descend(const BlockMatrix& a, Vector& x, double target, int max_iterations,
                 Preconditioner& preconditioner);

  Vector r_, z_, p_, q_;
  double residual_ = 0.0;  // |r_|^2
  int iterations_ = 0;
};

}  // namespace verve
