// The one minimiser behind every implicit integrator.
#pragma once

#include <memory>

#include "linear/LinearSolver.h"
#include "minimize/NewtonTrace.h"
#include "minimize/Objective.h"

namespace verve {

struct NewtonOptions {
  double tolerance = 1e-9;  ///< on Objective::residual
  int max_iterations = 200;
};

struct NewtonReport {
  enum class Exit {
    converged,
    stagnated,  ///< round-off of the function hides any further decrease: as good as it gets
    failed,     ///< no descent found, or too many iterations
  };
  Exit exit = Exit::failed;
  int iterations = 0;
  int factorizations = 0;
  int linear_iterations = 0;
  double residual = 0.0;

  bool solved() const { return exit != Exit::failed; }
};

/// Newton's method with a backtracking line search. The exact Hessian is used while it is positive definite;
/// else it is filtered element by element, a little first (far fewer iterations than to filter fully at once)
/// and fully next; and should even that fail, a growing multiple of the diagonal is added (AVF paper, section
/// 3). Nothing is allocated in minimize().
class Newton {
 public:
  /// `positions` (of the points, at rest) help some solvers; they may be empty.
  Newton(std::shared_ptr<const BlockPattern> pattern, std::unique_ptr<LinearSolver> solver,
         NewtonOptions options, const Vector& positions = {});

  /// For matrices of another pattern; nothing happens when it is the same one.
  void set_pattern(std::shared_ptr<const BlockPattern> pattern);

  /// Starts from x and leaves the best point found there.
  NewtonReport minimize(Objective& objective, Vector& x);

  /// Called at every event, until it is set to null.
  NewtonTrace trace;

  const NewtonOptions& options() const { return options_; }
  LinearSolver& solver() { return *solver_; }

 private:
  bool find_direction(Objective& objective, const Vector& x, double forcing);
  bool solve_with(double forcing);
  bool shift_until_definite(double forcing);
  /// Whether the norm's part of the residual is met: by the norm itself, or because all that is left to move,
  /// by the last Hessian, is that little. In stiff bodies the norm is far above it.
  bool settled(const Objective& objective, const NewtonReport& report, const Objective::Residual& residual);
  bool close_energy(Objective& objective, double first, const NewtonReport& report, Vector& x,
                    Objective::Value& now, Objective::Residual& residual);
  void tell(NewtonRecord::Event event, const NewtonReport& report, const Objective::Residual& residual,
            double length = 0.0, int evaluations = 0) const;

  NewtonOptions options_;
  std::unique_ptr<LinearSolver> solver_;
  BlockMatrix hessian_;
  Vector gradient_, trial_, trial_gradient_, direction_, right_;
  double filter_ = 0.0, smallest_move_ = 0.0;
  double motion_ = -1.0;  ///< that is left at the last gradient; below 0: not known
};

}  // namespace verve
