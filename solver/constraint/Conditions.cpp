#include "constraint/Conditions.h"

#include <Eigen/Dense>

namespace verve {
namespace {

// Singular values below this share of the largest belong to redundant rows.
constexpr double redundant = 1e-10;

void decompose(const Eigen::MatrixXd& matrix, Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>& out) {
  out.setThreshold(redundant);
  out.compute(matrix);
}

}  // namespace

Conditions::Conditions(const ConstraintSet& constraints, const Vector& mass)
    : constraints_(constraints), mass_(mass) {}

void Conditions::begin(const std::vector<int>& held) {
  if (!active()) return;
  free_ = Vector::Ones(mass_.size());
  for (int i : held) point(free_, i).setZero();
  inverse_mass_ = free_.cwiseQuotient(mass_);
}

void Conditions::linearize(const Vector& x) {
  constraints_.jacobian(x, a_);
  const int n = rows();
  Eigen::MatrixXd gram(n, n);
  Vector column;
  for (int r = 0; r < n; ++r) {
    free_column(r, column);
    gram.col(r) = along(inverse_mass_.cwiseProduct(column));
  }
  decompose(gram, gram_);
}

void Conditions::free_column(int r, Vector& out) const {
  out.setZero(mass_.size());
  for (int k = a_.start[r]; k < a_.start[r + 1]; ++k) {
    const auto& e = a_.entries[k];
    out[e.dof] += free_[e.dof] * e.value;
  }
}

Vector Conditions::along(const Vector& v) const {
  Vector out = Vector::Zero(rows());
  for (int r = 0; r < rows(); ++r)
    for (int k = a_.start[r]; k < a_.start[r + 1]; ++k) out[r] += a_.entries[k].value * v[a_.entries[k].dof];
  return out;
}

void Conditions::add_force(double factor, const Vector& l, Vector& out) const {
  for (int r = 0; r < rows(); ++r)
    for (int k = a_.start[r]; k < a_.start[r + 1]; ++k)
      out[a_.entries[k].dof] += factor * l[r] * a_.entries[k].value;
}

bool Conditions::satisfy(Vector& x) const {
  Vector gap, move = Vector::Zero(x.size());
  const double round_off = 4e-16 * x.cwiseAbs().maxCoeff();
  double best = INFINITY;
  for (int k = 0; k < 60; ++k) {
    constraints_.evaluate(x, gap);
    const double now = gap.cwiseAbs().maxCoeff();
    if (!(now < 0.9 * best) || now <= round_off) break;
    best = now;
    move.setZero();
    add_force(-1.0, gram_.solve(gap), move);
    x += inverse_mass_.cwiseProduct(move);
  }
  constraints_.evaluate(x, gap);
  return gap.cwiseAbs().maxCoeff() < 1e-11;
}

void Conditions::project_gradient(Vector& gradient, Vector& l) const {
  l = -gram_.solve(along(inverse_mass_.cwiseProduct(gradient)));
  Vector force = Vector::Zero(gradient.size());
  add_force(1.0, l, force);
  gradient += free_.cwiseProduct(force);
}

Vector Conditions::project_motion(Vector& v) const {
  const Vector l = -gram_.solve(along(v));
  Vector impulse = Vector::Zero(v.size());
  add_force(1.0, l, impulse);
  v += inverse_mass_.cwiseProduct(impulse);
  return l;
}

ConditionedSolver::ConditionedSolver(std::unique_ptr<LinearSolver> inner, const Conditions& conditions)
    : inner_(std::move(inner)), conditions_(conditions) {}

void ConditionedSolver::analyze(std::shared_ptr<const BlockPattern> pattern) {
  inner_->analyze(std::move(pattern));
}

void ConditionedSolver::count() {
  factorizations_ = inner_->factorizations();
  iterations_ = inner_->iterations();
  failed_point_ = inner_->failed_point();
}

bool ConditionedSolver::factorize(const BlockMatrix& a) {
  // Rough columns only cost iterations: solve() ends with an exact projection.
  constexpr double tolerance = 1e-8;
  const int n = conditions_.rows();
  bool done = inner_->factorize(a);
  columns_.resize(std::size_t(n));
  for (int r = 0; r < n && done; ++r) {
    conditions_.free_column(r, right_);
    done = inner_->solve(a, right_, columns_[r], tolerance);
  }
  count();
  if (!done) return false;
  Eigen::MatrixXd schur(n, n);
  for (int r = 0; r < n; ++r) schur.col(r) = conditions_.along(columns_[r]);
  decompose(schur, schur_);
  return true;
}

bool ConditionedSolver::solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) {
  const bool done = inner_->solve(a, b, x, tolerance);
  count();
  if (!done) return false;
  const Vector l = schur_.solve(conditions_.along(x));
  for (int r = 0; r < conditions_.rows(); ++r) x -= l[r] * columns_[r];
  conditions_.project_motion(x);
  return true;
}

std::unique_ptr<LinearSolver> make_conditioned_solver(LinearKind kind, const Conditions& conditions) {
  auto solver = make_linear_solver(kind);
  if (!conditions.active()) return solver;
  return std::make_unique<ConditionedSolver>(std::move(solver), conditions);
}

}  // namespace verve
