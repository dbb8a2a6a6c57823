#include "linear/BlockJacobi.h"

#include <Eigen/LU>
#include <atomic>

#include "base/Parallel.h"

namespace verve {

void BlockJacobi::analyze(const BlockPattern& pattern) {
  inverse_.assign(9 * std::size_t(pattern.rows()), 0.0);
}

int BlockJacobi::factorize(const BlockMatrix& a) {
  const int rows = a.pattern->rows();
  std::atomic<int> failed{rows};
  parallel_pieces(rows, 1024, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Eigen::Map<const Mat3> block(&a.values[9 * std::size_t(a.pattern->diagonal[i])]);
      const double det = block.determinant();
      const bool definite =
          block(0, 0) > 0 && block(0, 0) * block(1, 1) - block(0, 1) * block(1, 0) > 0 && det > 0;
      if (!definite) {
        for (int seen = failed; i < seen && !failed.compare_exchange_weak(seen, i);) {
        }
        return;
      }
      Eigen::Map<Mat3> inverse(&inverse_[9 * std::size_t(i)]);
      inverse = block.inverse();
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
