// Conjugate gradients in double, preconditioned by a float factor that outlives the matrix it was made from.
#pragma once

#include "linear/LinearSolver.h"
#include "linear/Pcg.h"
#include "linear/RenewalPolicy.h"
#include "linear/SupernodalCholesky.h"

namespace verve {

/// The matrices of successive Newton iterations and time steps are alike, so one factor serves many of them;
/// RenewalPolicy says when a new one pays.
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
  void forget() override {
    has_factor_ = false;
    policy_.forget();
  }

  /// What a solve costs on average, its share of the factorisations included, in nanoseconds on one core.
  static double usual_time(const FrontTree& tree, const BlockPattern& pattern);

 private:
  class Factor : public Preconditioner {
   public:
    void apply(const Vector& r, Vector& z) override { cholesky.solve(r, z); }
    SupernodalCholesky<float> cholesky;
  };

  bool refactorize(const BlockMatrix& a);

  Factor factor_;
  Pcg pcg_;
  RenewalPolicy policy_;
  double price_ = 0;  // of a factorisation, in iterations
  bool has_factor_ = false;
  bool fresh_ = false;  // the factor is that of the present values
};

}  // namespace verve
