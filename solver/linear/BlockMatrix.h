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

/// u u^T, with u zero but at some points: what couples them all without filling the matrix.
struct Dyad {
  const std::vector<int>* points = nullptr;
  Vector u;  ///< three numbers for each of those points

  double dot(const Vector& x) const;
  /// y += factor u
  void add(double factor, Vector& y) const;
};

/// Values on a pattern: block k holds values[9k .. 9k+8], row-major; and a few dyads beside it. Products have
/// all of it, factors and multigrid only the pattern's part: the dyads' share of a solution costs conjugate
/// gradients an iteration or so each.
struct BlockMatrix {
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<double> values;
  std::vector<Dyad> dyads;  ///< the first `dyad_count` count; the others keep their memory
  int dyad_count = 0;

  explicit BlockMatrix(std::shared_ptr<const BlockPattern> p = nullptr);
  /// Makes everything zero.
  void clear();
  /// Adds a dyad on these points, which must live on, for the caller to fill in u.
  Dyad& add_dyad(const std::vector<int>& points);
  /// y = A x, in parallel over rows.
  void multiply(const Vector& x, Vector& y) const;
  /// y = A x; returns x.y, the same bits at every number of threads.
  double multiply_dot(const Vector& x, Vector& y) const;
};

}  // namespace verve
