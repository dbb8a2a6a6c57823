// The sparse matrices of the solver: symmetric, made of 3x3 blocks, one block row a point.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/Types.h"

namespace verve {

/// Which pairs of points share a block. Full rows (both triangles), columns ascending, diagonal always there.
struct BlockPattern {
  std::vector<int> row_start;  ///< rows() + 1 entries into `column`
  std::vector<int> column;
  std::vector<int> diagonal;  ///< place of each row's diagonal block in `column`

  int rows() const { return int(diagonal.size()); }
  int blocks() const { return int(column.size()); }
  /// The place of block (row, col) in `column`, or -1.
  int find(int row, int col) const;
};

/// The pattern of `points` rows in which the points of each pair (and each point with itself) share a block.
BlockPattern make_block_pattern(int points, const std::vector<std::array<int, 2>>& pairs);

/// Values on a pattern: block k holds values[9k .. 9k+8], row-major.
struct BlockMatrix {
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<double> values;

  explicit BlockMatrix(std::shared_ptr<const BlockPattern> p = nullptr);
  /// y = A x, in parallel over rows.
  void multiply(const Vector& x, Vector& y) const;
  /// y = A x; returns x.y, the same bits at every number of threads.
  double multiply_dot(const Vector& x, Vector& y) const;
};

}  // namespace verve
