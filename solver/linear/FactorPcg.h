// Conjugate gradients in double, preconditioned by a float factor that outlives the matrix it was made from.
#pragma once

#include "linear/LinearSolver.h"
#include "linear/Pcg.h"
#include "linear/SupernodalCholesky.h"

namespace verve {

/// The matrices of successive Newton iterations and time steps are alike, so one factor serves many of them.
/// A new one is made when going on with the old costs more: by counted iterations and estimated work, never
/// by the clock, so that runs repeat bit for bit.
///
/// factorize() makes a factor only when there is none; an indefinite matrix may be noticed only by solve(),
/// and then failed_point() is -1.
class FactorPcg : public LinearSolver {
 public:
  void analyze(std::shared_ptr<const BlockPattern> pattern) override;
  /// analyze() with a plan of the same pattern that was made before.
  void analyze(std::shared_ptr<const BlockPattern> pattern, std::shared_ptr<const FrontTree> tree);
  bool factorize(const BlockMatrix& a) override;
  bool solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) override;

 private:
  class Factor : public Preconditioner {
   public:
    void apply(const Vector& r, Vector& z) override { cholesky.solve(r, z); }
    SupernodalCholesky<float> cholesky;
  };

  bool refactorize(const BlockMatrix& a);

  Factor factor_;
  Pcg pcg_;
  double factor_price_ = 0;  // of a factorisation, in iterations

  bool has_factor_ = false;
  bool fresh_ = false;  // the factor is that of the present values
  // Since the factor was made: what it cost with all iterations on it, and how many decades of residual that
  // bought.
  double spent_ = 0, decades_ = 0;
  double last_rate_ = 0;  // iterations a decade in the last solve
};

}  // namespace verve
