#include "linear/DirectSolver.h"

namespace verve {

void DirectSolver::analyze(std::shared_ptr<const BlockPattern> pattern) {
  const int n = 3 * pattern->rows();
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < pattern->rows(); ++i)
    for (int r = 0; r < 3; ++r)
      for (int k = pattern->row_start[i]; k < pattern->row_start[i + 1]; ++k)
        for (int c = 0; c < 3; ++c) entries.emplace_back(3 * pattern->column[k] + c, 3 * i + r, 1.0);
  matrix_.resize(n, n);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  factor_.analyzePattern(matrix_);
}

bool DirectSolver::factorize(const BlockMatrix& a) {
  double* out = matrix_.valuePtr();
  const BlockPattern& p = *a.pattern;
  for (int i = 0; i < p.rows(); ++i)
    for (int r = 0; r < 3; ++r)
      for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
        for (int c = 0; c < 3; ++c) *out++ = a.values[9 * std::size_t(k) + 3 * r + c];
  factor_.factorize(matrix_);
  ++factorizations_;
  failed_point_ = factor_.info() == Eigen::Success ? -1 : 0;
  return failed_point_ < 0;
}

bool DirectSolver::solve(const BlockMatrix&, const Vector& b, Vector& x, double) {
  x = factor_.solve(b);
  return x.allFinite();
}

}  // namespace verve
