#include "constraint/LinearizedConstraints.h"

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

LinearizedConstraints::LinearizedConstraints(const ConstraintSet& constraints, const Vector& mass)
    : constraints_(constraints), mass_(mass) {}

void LinearizedConstraints::begin(const std::vector<int>& held) {
  if (!active()) return;
  free_ = Vector::Ones(mass_.size());
  for (int i : held) point(free_, i).setZero();
  fixed_.clear(), general_.clear();
  for (int r = 0; r < constraints_.rows(); ++r) {
    const ConstraintSet::Entry entry = constraints_.fixed(r);
    if (entry.dof < 0 || free_[entry.dof] == 0.0) {
      general_.push_back(r);
      continue;
    }
    fixed_.push_back({r, entry});
    free_[entry.dof] = 0.0;
  }
  inverse_mass_ = free_.cwiseQuotient(mass_);
}

void LinearizedConstraints::linearize(const Vector& x) {
  constraints_.jacobian(x, a_);
  const int n = general_rows();
  if (n == 0) return;
  Eigen::MatrixXd gram(n, n);
  Vector column;
  for (int g = 0; g < n; ++g) {
    free_column(g, column);
    gram.col(g) = along_general(inverse_mass_.cwiseProduct(column));
  }
  decompose(gram, gram_);
}

void LinearizedConstraints::free_column(int g, Vector& out) const {
  out.setZero(mass_.size());
  for (int k = a_.start[general_[g]]; k < a_.start[general_[g] + 1]; ++k) {
    const auto& e = a_.entries[k];
    out[e.dof] += free_[e.dof] * e.value;
  }
}

double LinearizedConstraints::times(int row, const Vector& v) const {
  double sum = 0.0;
  for (int k = a_.start[row]; k < a_.start[row + 1]; ++k) sum += a_.entries[k].value * v[a_.entries[k].dof];
  return sum;
}

Vector LinearizedConstraints::along_general(const Vector& v) const {
  Vector out(general_rows());
  for (int g = 0; g < general_rows(); ++g) out[g] = times(general_[g], v);
  return out;
}

void LinearizedConstraints::add_force(double factor, const Vector& l, Vector& out) const {
  for (int r = 0; r < a_.rows(); ++r)
    for (int k = a_.start[r]; k < a_.start[r + 1]; ++k)
      out[a_.entries[k].dof] += factor * l[r] * a_.entries[k].value;
}

void LinearizedConstraints::add_general_force(const Vector& l, Vector& out) const {
  for (int g = 0; g < general_rows(); ++g)
    for (int k = a_.start[general_[g]]; k < a_.start[general_[g] + 1]; ++k)
      out[a_.entries[k].dof] += l[g] * a_.entries[k].value;
}

bool LinearizedConstraints::satisfy(Vector& x) const {
  Vector gap, left(general_rows()), move = Vector::Zero(x.size());
  const double round_off = 4e-16 * x.cwiseAbs().maxCoeff();
  constraints_.evaluate(x, gap);
  for (const Fixed& f : fixed_) x[f.entry.dof] -= gap[f.row] / f.entry.value;
  double best = INFINITY;
  for (int k = 0; k < 60 && !general_.empty(); ++k) {
    constraints_.evaluate(x, gap);
    for (int g = 0; g < general_rows(); ++g) left[g] = gap[general_[g]];
    const double now = left.cwiseAbs().maxCoeff();
    if (!(now < 0.9 * best) || now <= round_off) break;
    best = now;
    move.setZero();
    add_general_force(-gram_.solve(left), move);
    x += inverse_mass_.cwiseProduct(move);
  }
  constraints_.evaluate(x, gap);
  return gap.cwiseAbs().maxCoeff() < 1e-11;
}

void LinearizedConstraints::project_gradient(Vector& gradient, Vector& l) const {
  l = Vector::Zero(a_.rows());
  Vector force = Vector::Zero(gradient.size());
  if (!general_.empty()) {
    const Vector general = -gram_.solve(along_general(inverse_mass_.cwiseProduct(gradient)));
    add_general_force(general, force);
    for (int g = 0; g < general_rows(); ++g) l[general_[g]] = general[g];
  }
  for (const Fixed& f : fixed_) {
    const int i = f.entry.dof;
    l[f.row] = -(gradient[i] + force[i]) / f.entry.value;
    gradient[i] = 0.0;
  }
  gradient += free_.cwiseProduct(force);
}

Vector LinearizedConstraints::project_motion(Vector& v) const {
  Vector l = Vector::Zero(a_.rows()), impulse = Vector::Zero(v.size());
  for (const Fixed& f : fixed_) {
    l[f.row] = -mass_[f.entry.dof] * v[f.entry.dof] / f.entry.value;
    v[f.entry.dof] = 0.0;
  }
  if (general_.empty()) return l;
  const Vector general = -gram_.solve(along_general(v));
  add_general_force(general, impulse);
  for (int g = 0; g < general_rows(); ++g) l[general_[g]] = general[g];
  for (const Fixed& f : fixed_) l[f.row] -= impulse[f.entry.dof] / f.entry.value;
  v += inverse_mass_.cwiseProduct(impulse);
  return l;
}

bool LinearizedConstraints::fix(const BlockMatrix& from, BlockMatrix& to) const {
  if (fixed_.empty()) return false;
  to = from;
  const BlockPattern& pattern = *to.pattern;
  for (const Fixed& f : fixed_) {
    const int i = f.entry.dof / 3, d = f.entry.dof % 3;
    for (int k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
      double* row = &to.values[9 * std::size_t(k)];
      double* mirror = &to.values[9 * std::size_t(pattern.find(pattern.column[k], i))];
      for (int e = 0; e < 3; ++e) row[3 * d + e] = mirror[3 * e + d] = 0.0;
    }
    to.values[9 * std::size_t(pattern.diagonal[i]) + 4 * d] = mass_[f.entry.dof];
  }
  return true;
}

ConstrainedSolver::ConstrainedSolver(std::unique_ptr<LinearSolver> inner,
                                     const LinearizedConstraints& conditions)
    : inner_(std::move(inner)), conditions_(conditions) {}

void ConstrainedSolver::analyze(std::shared_ptr<const BlockPattern> pattern) {
  inner_->analyze(std::move(pattern));
}

void ConstrainedSolver::count() {
  factorizations_ = inner_->factorizations();
  iterations_ = inner_->iterations();
  failed_point_ = inner_->failed_point();
}

bool ConstrainedSolver::factorize(const BlockMatrix& a) {
  // Rough columns only cost iterations: solve() ends with an exact projection.
  constexpr double tolerance = 1e-8;
  const int n = conditions_.general_rows();
  fixed_ = conditions_.fix(a, matrix_);
  bool done = inner_->factorize(matrix(a));
  columns_.resize(std::size_t(n));
  for (int r = 0; r < n && done; ++r) {
    conditions_.free_column(r, right_);
    done = inner_->solve(matrix(a), right_, columns_[r], tolerance);
  }
  count();
  if (!done || n == 0) return done;
  Eigen::MatrixXd schur(n, n);
  for (int r = 0; r < n; ++r) schur.col(r) = conditions_.along_general(columns_[r]);
  decompose(schur, schur_);
  return true;
}

bool ConstrainedSolver::solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) {
  const bool done = inner_->solve(matrix(a), b, x, tolerance);
  count();
  if (!done) return false;
  if (conditions_.general_rows() > 0) {
    const Vector l = schur_.solve(conditions_.along_general(x));
    for (int r = 0; r < conditions_.general_rows(); ++r) x -= l[r] * columns_[r];
  }
  conditions_.project_motion(x);
  return true;
}

std::unique_ptr<LinearSolver> make_constrained_solver(LinearKind kind,
                                                      const LinearizedConstraints& conditions) {
  auto solver = make_linear_solver(kind);
  if (!conditions.active()) return solver;
  return std::make_unique<ConstrainedSolver>(std::move(solver), conditions);
}

}  // namespace verve
