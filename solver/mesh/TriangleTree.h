// Questions about a surface that need all of its triangles: how far, and inside or outside.
#pragma once

#include <limits>
#include <vector>

#include "mesh/BoxTree.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// The point of triangle abc that is nearest to p, as weights of its corners. Degenerate triangles are fine.
Vec3 closest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Answers are exact up to rounding except for the winding number, which is within `winding_error`. Needs
/// finite points and indices within range; keeps its own copy of the triangles. Safe to ask from several
/// threads.
class TriangleTree {
 public:
  explicit TriangleTree(const TriangleMesh& mesh);

  struct Nearest {
    int triangle = -1;  ///< -1: nothing within the limit
    double squared_distance = 0;
    Vec3 point = Vec3::Zero();
  };
  Nearest nearest(const Vec3& p, double squared_limit = std::numeric_limits<double>::infinity()) const;

  /// How often the surface goes round p: 1 inside and 0 outside a closed surface; in between where it has
  /// holes (A. Jacobson et al. 2013, "Robust inside-outside segmentation using generalized winding numbers";
  /// far triangles are summed up as in G. Barill et al. 2018, "Fast winding numbers for soups and clouds").
  double winding(const Vec3& p) const;
  static constexpr double winding_error = 0.05;

 private:
  struct Triangle {
    Vec3 a, b, c;
  };
  // The far field of all triangles below a node of the tree: a dipole and how it is spread around its centre.
  // Kept apart from the tree, with all that winding() needs side by side.
  struct Far {
    Vec3 centre = Vec3::Zero();
    Vec3 dipole = Vec3::Zero();
    double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;  // the spread, symmetric and without trace
    double near = 0;                       // squared distance from which the sum is good enough
    int first = 0, count = 0, right = -1;  // as in BoxTree::Node
  };
  Far far_field(const BoxTree::Node& node) const;

  BoxTree tree_;
  std::vector<Triangle> triangles_;  // in the order of the tree's items
  std::vector<Far> far_;             // one a node
};

}  // namespace verve
