// Questions about a surface that need all of its triangles: how far, and inside or outside.
#pragma once

#include <limits>
#include <vector>

#include "mesh/BoxTree.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// The point of triangle abc that is nearest to p, as weights of its corners. Degenerate triangles are fine.
Vec3 closest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Answers are exact up to rounding except for the winding number, which is within 0.02. Needs finite points
/// and indices within range; keeps its own copy of the triangles. Safe to ask from several threads.
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

 private:
  struct Triangle {
    Vec3 a, b, c;
  };
  // The far field of all triangles below a node: a dipole and how it is spread around its centre.
  struct Far {
    Vec3 centre = Vec3::Zero();
    Vec3 dipole = Vec3::Zero();
    Mat3 spread = Mat3::Zero();
    double radius = 0;
  };
  Far far_field(int first, int count) const;

  BoxTree tree_;
  std::vector<Triangle> triangles_;  // in the order of the tree's items
  std::vector<Far> far_;             // one a node
};

}  // namespace verve
