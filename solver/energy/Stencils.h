// Elements sorted for the hot loops: in packs of four, and in parts that threads work on side by side.
#pragma once

#include <array>
#include <vector>

#include "base/Pack.h"
#include "base/Parallel.h"
#include "linear/BlockMatrix.h"

namespace verve {

/// Which part (of how many) each point belongs to. A part's thread writes the rows of its own points only,
/// and computes every element that touches them: elements on a border are computed twice rather than
/// synchronised, and each row adds its elements in the same order whatever the number of parts.
struct Partition {
  std::vector<int> owner;
  int parts = 1;
};

/// Splits points into `parts` by halving along the longest side again and again.
Partition partition_points(const Vector& x, int parts);

/// Stencils of N points in packs of four.
template <int N>
class Stencils {
 public:
  struct Block {               ///< four elements
    int point[N][Pack::size];  ///< their points; the last pack of a part is filled up with its last element
    int element[Pack::size];   ///< their numbers
    unsigned char owned[N] = {};  ///< bit `lane`: this part writes the rows of that point
    unsigned char counted = 0;    ///< bit `lane`: this part adds the element's energy to the sum
  };

  Stencils(const std::vector<std::array<int, N>>& elements, const Partition& partition);

  int parts() const { return int(first_.size()) - 1; }
  int begin(int part) const { return first_[part]; }
  int end(int part) const { return first_[part + 1]; }
  int size() const { return int(blocks_.size()); }
  int elements() const { return elements_; }
  /// Where an element is: its block, and its lane there.
  struct Place {
    int block, lane;
  };
  Place place_of(int element) const { return places_[element]; }
  /// Fills in the points of an element; returns how many they are.
  int points_of(int element, int* points) const {
    const Place place = places_[element];
    for (int a = 0; a < N; ++a) points[a] = blocks_[place.block].point[a][place.lane];
    return N;
  }
  const Block& operator[](int i) const { return blocks_[i]; }

  void append_pairs(std::vector<std::array<int, 2>>& pairs) const;
  void attach(const BlockPattern& pattern);
  /// Adds `value(a, b, lane, entry)`-like blocks: h[a][b] holds the 3x3 block (row-major, packed) of points
  /// a, b.
  void scatter(int i, const Pack (&h)[N][N][9], BlockMatrix& matrix) const;
  /// Adds the four 3N gradients to the rows that this part owns.
  void scatter(int i, const Pack3 (&g)[N], Vector& gradient) const;
  /// The positions of the four stencils.
  void gather(int i, const Vector& x, Pack3 (&q)[N]) const;

  /// The mean of a value per point over each of the four stencils; 1 where there are no values.
  Pack mean(int i, const Vector& values) const;

  /// Runs body(block, part) over all blocks, parts side by side.
  template <class Body>
  void for_each(const Body& body) const {
    parallel_pieces(parts(), 1, [&](int p, int) {
      for (int i = begin(p); i < end(p); ++i) body(i);
    });
  }
  /// Runs body(block, lane, element) for every lane, those included that compute an element once more.
  template <class Body>
  void for_each_lane(const Body& body) const {
    for (int i = 0; i < size(); ++i)
      for (int lane = 0; lane < Pack::size; ++lane) body(i, lane, blocks_[i].element[lane]);
  }
  /// The sum of body(i), a Pack of element energies, over the elements; added up in their order, so that the
  /// bits do not depend on the parts. One call at a time.
  template <class Body>
  double sum_each(const Body& body) const {
    parallel_pieces(parts(), 1, [&](int p, int) {
      for (int i = begin(p); i < end(p); ++i) {
        const Pack e = body(i);
        for (int lane = 0; lane < Pack::size; ++lane)
          if (blocks_[i].counted >> lane & 1) values_[blocks_[i].element[lane]] = e[lane];
      }
    });
    return parallel_sum(elements_, 4096, [&](int first, int last) {
      double sum = 0.0;
      for (int e = first; e < last; ++e) sum += values_[e];
      return sum;
    });
  }

 private:
  int elements_ = 0;
  std::vector<int> first_;
  std::vector<Block> blocks_;
  std::vector<Place> places_;                               ///< one an element
  mutable std::vector<double> values_;                      ///< one an element, scratch of sum_each()
  std::vector<std::array<int, N * N * Pack::size>> place_;  ///< of each block row/column in the matrix
};

extern template class Stencils<2>;
extern template class Stencils<3>;
extern template class Stencils<4>;
extern template class Stencils<10>;
extern template class Stencils<12>;

}  // namespace verve
