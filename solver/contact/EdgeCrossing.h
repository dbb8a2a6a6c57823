// Where two edges pass each other.
#pragma once

#include <array>

#include "base/Types.h"

namespace verve {

/// An edge of a surface where it is at some time.
struct EdgePlace {
  std::array<Vec3, 2> end;
  Vec3 normal = Vec3::Zero();  ///< sum of the normals of its triangles
  int wings = 0;               ///< triangles at it; more than two do not count
  /// The direction in each triangle away from the edge, of unit length.
  std::array<Vec3, 2> wing{Vec3::Zero(), Vec3::Zero()};

  Vec3 along() const { return end[1] - end[0]; }
  Vec3 at(double t) const { return (1.0 - t) * end[0] + t * end[1]; }
  /// One less the cosine of the angle by which the surface bends at it; two at a rim.
  double sharpness() const { return wings == 2 ? 1.0 + wing[0].dot(wing[1]) : 2.0; }
};

/// Below this sharpness (12 degrees) an edge is part of a smooth surface, which its points stand for.
constexpr double smooth_edge = 0.02;

/// Both edges lie in planes across `normal`, which are `distance` apart.
struct EdgeCrossing {
  double s = 0.5, t = 0.5;     ///< where they cross, along the first and the second, from 0 to 1
  Vec3 normal = Vec3::Zero();  ///< of unit length; zero where the edges are parallel
  double distance = 0.0;       ///< how far the first is in front of the second, along the normal
  /// How much of a contact this is, from 0 to 1. It fades where the edges are parallel, cross beyond their
  /// ends, or are not what is nearest of their surfaces: there points and triangles meet instead.
  double share = 0.0;
};

/// The normal is on the side of `towards`; where that is zero, on the side on which the first edge is.
EdgeCrossing cross(const EdgePlace& a, const EdgePlace& b, const Vec3& towards);

}  // namespace verve
