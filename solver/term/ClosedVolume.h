// The volume that a closed surface encloses, as a function of its points.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "linear/BlockMatrix.h"

namespace verve {

/// A closed piece of a surface: every edge has two triangles, which wind alike.
using ClosedPiece = std::vector<std::array<int, 3>>;

struct ClosedPieces {
  std::vector<ClosedPiece> closed;
  int hollow = 0;    ///< how many of them, the last ones, were wound the other way
  int open = 0;      ///< pieces with a hole
  std::string leak;  ///< says where the first of them leaks
};

/// The pieces of a surface that hang together by edges, wound so that they enclose a positive volume at
/// `rest`. Points at the same place are not joined.
ClosedPieces closed_pieces(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& rest);

/// V = sum a.(b x c)/6: cubic in the points.
class ClosedVolume {
 public:
  explicit ClosedVolume(const ClosedPiece& triangles);

  const std::vector<int>& points() const { return points_; }  ///< ascending
  double volume(const Vector& x) const;
  /// The gradient, three numbers for each of points(); linear in x's products.
  void gradient(const Vector& x, Vector& out) const;
  void append_pairs(std::vector<std::array<int, 2>>& pairs) const;
  void attach(const BlockPattern& pattern);
  /// Adds the Hessian of V at a x + b y.
  void add_hessian(double a, const Vector& x, double b, const Vector& y, BlockMatrix& hessian) const;

 private:
  /// An edge and the two points across it: d2V/dp0 dp1 = [x_across1 - x_across0]x / 6.
  struct Edge {
    std::array<int, 2> point, across;
    std::array<int, 2> block;  ///< of the matrix: (0, 1) and (1, 0)
  };
  std::vector<int> points_;
  std::vector<std::array<int, 3>> triangles_;  ///< in numbers of points_
  std::vector<Edge> edges_;
};

}  // namespace verve
