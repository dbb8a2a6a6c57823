#include "contact/EdgeCrossing.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "contact/SimplexDistance.h"

namespace verve {
namespace {

/// From 0 at `none` to 1 at `all`, without a kink.
double ramp(double x, double none, double all) {
  const double t = std::min(1.0, std::max(0.0, (x - none) / (all - none)));
  return t * t * (3.0 - 2.0 * t);
}

/// Whether the edge is what its surface has nearest in a direction: its triangles lean away from there.
double foremost(const EdgePlace& edge, const Vec3& direction) {
  double lean = -1.0;
  for (int k = 0; k < std::min(edge.wings, 2); ++k) lean = std::max(lean, direction.dot(edge.wing[k]));
  return ramp(lean, 0.5, 0.2);
}

}  // namespace

EdgeCrossing cross(const EdgePlace& a, const EdgePlace& b, const Vec3& towards) {
  const Vec3 u = a.along(), v = b.along(), r = a.end[0] - b.end[0], across = u.cross(v);
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), squared = across.squaredNorm();
  EdgeCrossing c;
  if (!(squared > 1e-6 * uu * vv)) return c;
  c.normal = across / std::sqrt(squared);
  c.distance = c.normal.dot(r);
  if (towards.isZero(0.0) ? c.distance < 0.0 : c.normal.dot(towards) < 0.0) {
    c.normal = -c.normal;
    c.distance = -c.distance;
  }
  const double s = (uv * v.dot(r) - vv * u.dot(r)) / squared, t = (uu * v.dot(r) - uv * u.dot(r)) / squared;
  // Where a crossing moves on to the next edge, both share it.
  constexpr double overlap = 0.02;
  c.share = edge_fade({a.end[0], a.end[1], b.end[0], b.end[1]}).value * foremost(a, -c.normal) *
            foremost(b, c.normal) *
            ramp(std::max(a.sharpness(), b.sharpness()), 0.2 * smooth_edge, smooth_edge);
  for (double place : {s, t}) c.share *= ramp(std::min(place, 1.0 - place), -overlap, overlap);
  c.s = std::min(1.0, std::max(0.0, s));
  c.t = std::min(1.0, std::max(0.0, t));
  return c;
}

}  // namespace verve
