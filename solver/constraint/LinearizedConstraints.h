// The constraints as one step sees them: directions of their forces, and the way back to where they hold.
#pragma once

#include <Eigen/QR>

#include "constraint/Constraint.h"
#include "linear/LinearSolver.h"

namespace verve {

/// Constraint forces act along the gradients A taken at one place; redundant rows share the load. Rows that
/// hold a single coordinate take it out of the unknowns; the others, the general ones, are solved for
/// together.
class LinearizedConstraints {
 public:
  LinearizedConstraints(const ConstraintSet& constraints, const Vector& mass);

  bool active() const { return !constraints_.empty(); }
  /// Held points do not give way.
  void begin(const std::vector<int>& held);
  /// Takes the gradients at x.
  void linearize(const Vector& x);

  /// Moves x along M^-1 A^T until the constraints hold (to round-off where possible). False when they are
  /// still off by more than 1e-11 m.
  bool satisfy(Vector& x) const;
  /// Adds A^T l to the gradient, with the l that leaves least of it (as accelerations weigh it).
  void project_gradient(Vector& gradient, Vector& l) const;
  /// Takes away from free points what moves against the constraints; returns the impulses, one a row, that it
  /// takes.
  Vector project_motion(Vector& v) const;
  /// out += factor A^T l
  void add_force(double factor, const Vector& l, Vector& out) const;
  /// The column of A^T that belongs to general row g, with nothing on held points and fixed coordinates.
  void free_column(int g, Vector& out) const;
  int general_rows() const { return int(general_.size()); }
  /// The general rows of A v.
  Vector along_general(const Vector& v) const;
  /// Makes the rows and columns of fixed coordinates those of their mass alone; nothing happens, and false is
  /// returned, where there are none.
  bool fix(const BlockMatrix& from, BlockMatrix& to) const;

 private:
  const ConstraintSet& constraints_;
  struct Fixed {
    int row;
    ConstraintSet::Entry entry;
  };
  double times(int row, const Vector& v) const;
  void add_general_force(const Vector& l, Vector& out) const;

  std::vector<Fixed> fixed_;
  std::vector<int> general_;
  Vector inverse_mass_, free_;
  const Vector& mass_;
  ConstraintSet::Jacobian a_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> gram_;  // A M^-1 A^T of the general rows
};

/// Solves H x = b on the motions that the conditions allow: x minimises 1/2 x.H x - b.x subject to A x = 0.
/// Schur's complement, a solve for each general row: meant for up to some hundreds of those.
class ConstrainedSolver final : public LinearSolver {
 public:
  ConstrainedSolver(std::unique_ptr<LinearSolver> inner, const LinearizedConstraints& conditions);
  void analyze(std::shared_ptr<const BlockPattern> pattern) override;
  void set_positions(const Vector& x) override { inner_->set_positions(x); }
  void forget() override { inner_->forget(); }
  bool factorize(const BlockMatrix& a) override;
  bool solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) override;

 private:
  void count();

  std::unique_ptr<LinearSolver> inner_;
  const LinearizedConstraints& conditions_;
  const BlockMatrix& matrix(const BlockMatrix& a) const { return fixed_ ? matrix_ : a; }

  BlockMatrix matrix_;  // with fixed coordinates taken out
  bool fixed_ = false;
  std::vector<Vector> columns_;  // H^-1 A^T
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> schur_;
  Vector right_;
};

/// A solver of that kind, conditioned where there are constraints. The conditions must outlive it.
std::unique_ptr<LinearSolver> make_constrained_solver(LinearKind kind,
                                                      const LinearizedConstraints& conditions);

}  // namespace verve
