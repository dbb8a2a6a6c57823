// The shapes that bodies collide with, as signed distances.
#pragma once

#include <memory>

#include "mesh/BoxTree.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// The distance of a point to a surface: negative inside the solid.
struct Distance {
  double value = 0.0;
  Vec3 normal = Vec3::Zero();  ///< its gradient: of unit length, towards growing distance
  /// Of meshes: the nearest triangle and the weights of its corners at the nearest point.
  int triangle = -1;
  bool rim = false;  ///< the nearest place is at the rim of an open surface, which has no sides
  Vec3 weights = Vec3::Zero();
};

/// What a round solid is all within `radius` of: points, and lines between them.
struct RoundCore {
  std::vector<Vec3> points;
  std::vector<std::array<int, 2>> lines;
  double radius = 0.0;
};

/// A solid in a frame of its own, in metres. Safe to ask from several threads.
class Shape {
 public:
  virtual ~Shape() = default;
  /// Exact where it is below `limit`; else it may be anything between `limit` and the true distance.
  virtual Distance distance(const Vec3& p, double limit) const = 0;
  /// The share of a straight way that can be gone with a gap (distance + shift) above `least` all along: less
  /// than 1 only where it gets close to that. By conservative advancement: each stride is as long as the
  /// plane between the point and the nearest place allows, or as the distance does where no plane parts them.
  virtual double free_share(const Vec3& from, const Vec3& to, double shift, double least) const;
  /// Whether the solid is convex: the plane through the nearest place then parts it from the point.
  virtual bool convex() const { return false; }
  /// The corners and edges of a solid that has some; no triangles for one that is round or endless.
  virtual TriangleMesh corners() const { return {}; }
  /// No points for a solid that is not round. That of a ring is inside of it by up to a thousandth of its
  /// radius.
  virtual RoundCore core() const { return {}; }
};

/// The advancement itself. `at` gives the Distance at a place; `parted`: the plane there has all of the
/// obstacle behind it.
template <class At>
double advance(const Vec3& from, const Vec3& way, double least, bool parted, const At& at) {
  double share = 0.0;
  const double length = way.norm();
  for (int stride = 0; stride < 200; ++stride) {
    const Distance d = at(Vec3(from + share * way));
    const double closing = parted ? -d.normal.dot(way) : length;
    if (!(closing > 0.0)) return 1.0;
    const double left = d.value - least;
    if (left <= 1e-3 * least) return share;
    share += left / closing;
    if (share >= 1.0) return 1.0;
  }
  return share;
}

/// Solid where normal.x < offset; the normal need not be of unit length.
std::unique_ptr<Shape> plane_shape(const Vec3& normal, double offset);
/// Solid outside the ball, instead of inside, with `inside`: a bowl.
std::unique_ptr<Shape> sphere_shape(const Vec3& center, double radius, bool inside = false);
/// Centred at the origin, with sides along the axes.
std::unique_ptr<Shape> box_shape(const Vec3& size);
/// All points within `radius` of the line from `from` to `to`.
std::unique_ptr<Shape> capsule_shape(const Vec3& from, const Vec3& to, double radius);
/// A ring around the y axis: `radius` to the middle of the tube, `tube` from there to the surface.
std::unique_ptr<Shape> torus_shape(double radius, double tube);

}  // namespace verve
