#include "linear/BlockJacobi.h"

#include <algorithm>
#include <atomic>

#include "base/Parallel.h"
#include "linear/SmallInverse.h"

namespace verve {

void BlockJacobi::analyze(const BlockPattern& pattern) {
  inverse_.assign(9 * std::size_t(pattern.rows()), 0.0);
}

int BlockJacobi::factorize(const BlockMatrix& a) {
  const int rows = a.pattern->rows();
  std::atomic<int> failed{rows};
  parallel_pieces(rows, 1024, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double* from = &a.values[9 * std::size_t(a.pattern->diagonal[i])];
      double block[3][3];
      std::copy_n(from, 9, &block[0][0]);
      if (!invert_definite(block)) {
        for (int seen = failed; i < seen && !failed.compare_exchange_weak(seen, i);) {
        }
        return;
      }
      std::copy_n(&block[0][0], 9, &inverse_[9 * std::size_t(i)]);
    }
  });
  return failed < rows ? int(failed) : -1;
}

void BlockJacobi::apply(const Vector& r, Vector& z) {
  parallel_pieces(int(r.size() / 3), 2048, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      point(z, i) = Eigen::Map<const Mat3>(&inverse_[9 * std::size_t(i)]) * point(r, i);
  });
}

}  // namespace verve
