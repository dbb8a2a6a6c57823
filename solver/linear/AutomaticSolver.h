// Chooses between a kept float factor and multigrid.
#pragma once

#include "linear/FactorPcg.h"
#include "linear/IterativeSolver.h"

namespace verve {

/// By the estimated work of a solve, once a pattern: factors win on small scenes and on thin ones (cloth),
/// multigrid on large volumes. When multigrid then needs far more iterations than expected (nearly
/// incompressible materials, slender parts), the factor takes over until forget(), if it fits in memory.
/// Without set_positions() always the factor.
class AutomaticSolver : public LinearSolver {
 public:
  void set_positions(const Vector& positions) override;
  void analyze(std::shared_ptr<const BlockPattern> pattern) override;
  bool factorize(const BlockMatrix& a) override;
  bool solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) override;
  void forget() override;
  double usual_time() const override { return usual_time_; }

  /// What was chosen; known after analyze().
  bool uses_multigrid() const { return multigrid_; }

 private:
  void choose(LinearSolver& solver, bool multigrid);
  void use_factor();
  void count();

  std::shared_ptr<const BlockPattern> pattern_;
  std::shared_ptr<const FrontTree> tree_;
  Vector positions_;
  std::unique_ptr<FactorPcg> factor_;
  std::unique_ptr<IterativeSolver> grid_;
  LinearSolver* chosen_ = nullptr;
  bool multigrid_ = false;
  double usual_time_ = 0;
  double patience_ = 0;  // multigrid iterations for a decade of residual that a factor would beat
  long base_factorizations_ = 0, base_iterations_ = 0;  // counted before the chosen solver's own counts
};

}  // namespace verve
