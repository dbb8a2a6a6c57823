// CHOLMOD (double, supernodal, METIS), to compare with. Debian's is single-threaded only under
// OMP_THREAD_LIMIT=1.
#pragma once

#include <cholmod.h>

#include <vector>

#include "linear/BlockMatrix.h"

namespace verve::bench {

class Cholmod {
 public:
  explicit Cholmod(const BlockMatrix& a) {
    cholmod_start(&common_);
    common_.print = 0;  // indefinite matrices are no news
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_METIS;
    common_.postorder = true;
    const BlockPattern& p = *a.pattern;
    const std::size_t n = 3 * std::size_t(p.rows());
    cholmod_triplet* t = cholmod_allocate_triplet(n, n, a.values.size(), -1, CHOLMOD_REAL, &common_);
    for (int i = 0; i < p.rows(); ++i)
      for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) {
            const int row = 3 * i + r, column = 3 * p.column[k] + c;
            if (row < column) continue;
            static_cast<int*>(t->i)[t->nnz] = row;
            static_cast<int*>(t->j)[t->nnz] = column;
            static_cast<double*>(t->x)[t->nnz++] = double(9 * std::size_t(k) + 3 * r + c);
          }
    matrix_ = cholmod_triplet_to_sparse(t, t->nnz, &common_);
    cholmod_free_triplet(&t, &common_);
    const double* places = static_cast<const double*>(matrix_->x);
    place_.assign(places, places + cholmod_nnz(matrix_, &common_));
    for (std::size_t k = 0; k < place_.size(); ++k) static_cast<double*>(matrix_->x)[k] = a.values[place_[k]];
    factor_ = cholmod_analyze(matrix_, &common_);
  }
  ~Cholmod() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_sparse(&matrix_, &common_);
    cholmod_finish(&common_);
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;

  /// With the values of the matrix that it was made for.
  bool factorize() { return cholmod_factorize(matrix_, factor_, &common_) && factor_->minor == factor_->n; }
  /// With other values on the same pattern.
  bool factorize(const BlockMatrix& a) {
    for (std::size_t k = 0; k < place_.size(); ++k) static_cast<double*>(matrix_->x)[k] = a.values[place_[k]];
    return factorize();
  }
  void solve(const Vector& b, Vector& x) {
    cholmod_dense right{};
    right.nrow = right.nzmax = right.d = std::size_t(b.size());
    right.ncol = 1;
    right.x = const_cast<double*>(b.data());
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* result = cholmod_solve(CHOLMOD_A, factor_, &right, &common_);
    x = Eigen::Map<const Vector>(static_cast<const double*>(result->x), b.size());
    cholmod_free_dense(&result, &common_);
  }

 private:
  std::vector<std::size_t> place_;  // of each of CHOLMOD's values in those of the block matrix
  cholmod_common common_;
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
};

}  // namespace verve::bench
