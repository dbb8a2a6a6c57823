#include "asynchronous/StartCheck.h"

#include <Eigen/Geometry>

#include "asynchronous/GrowingTree.h"
#include "asynchronous/LayerPair.h"
#include "base/Error.h"
#include "base/Text.h"

namespace verve {
namespace {

/// The places of all particles with the bodies at x.
std::vector<Vec3> places(const LayerSurface& surface, const Vector& x, double time) {
  std::vector<Vec3> at(surface.particles);
  for (int i = 0; i < surface.system_points; ++i) at[i] = point(x, i);
  for (std::size_t c = 0; c < surface.colliders.size(); ++c) {
    const ColliderSpec& spec = surface.colliders[c];
    std::vector<Vec3> points = surface.corners[c];
    if (points.empty()) continue;
    if (spec.deform) spec.deform(time, points);
    const Eigen::Isometry3d pose = spec.pose ? spec.pose(time) : Eigen::Isometry3d::Identity();
    for (std::size_t k = 0; k < points.size(); ++k) at[surface.first_particle[c] + k] = pose * points[k];
  }
  return at;
}

template <int N>
GrowingTree tree_of(const LayerSurface::Parts<N>& parts, const std::vector<Vec3>& at, double pad) {
  std::vector<Eigen::AlignedBox3d> boxes;
  for (const auto& corners : parts.corners) {
    Eigen::AlignedBox3d box;
    for (int i : corners) box.extend(at[i]);
    box.min().array() -= pad;
    box.max().array() += pad;
    boxes.push_back(box);
  }
  GrowingTree tree;
  tree.reset(std::move(boxes));
  return tree;
}

/// Whether the segment pq crosses the triangle abc, its rim included.
bool crosses(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return (b - a).cross(c - a).dot(d - a);
  };
  const double from = volume(a, b, c, p), to = volume(a, b, c, q);
  if (from * to > 0.0 || (from == 0.0 && to == 0.0)) return false;
  const double u = volume(p, q, a, b), v = volume(p, q, b, c), w = volume(p, q, c, a);
  return (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
}

bool share_corner(const std::array<int, 2>& edge, const std::array<int, 3>& triangle) {
  for (int p : edge)
    for (int q : triangle)
      if (p == q) return true;
  return false;
}

void check_shapes(const LayerSurface& surface, const std::vector<Vec3>& at, double time) {
  for (std::size_t c = 0; c < surface.colliders.size(); ++c) {
    if (!surface.exact[c]) continue;
    const ShapeMotion shape(surface.colliders[c], {time, 1.0});
    for (int i = 0; i < surface.vertices.size(); ++i) {
      const int p = surface.vertices.corners[i][0];
      if (surface.vertices.owner[i] >= surface.bodies || !surface.collision_matrix.meets_collider(p, int(c)))
        continue;
      const double gap = shape.distance(at[p], time).value;
      if (!(gap > 0.0))
        throw Error(surface.names[surface.vertices.owner[i]] + " starts inside " +
                    surface.names[surface.bodies + c] + ": point " + std::to_string(p) + " is " +
                    shortest(-gap) +
                    " m deep; move one of them, as penalty layers only keep apart what is apart");
    }
  }
}

void check_crossings(const LayerSurface& surface, const std::vector<Vec3>& at) {
  const GrowingTree edges = tree_of(surface.edges, at, 0.0), triangles = tree_of(surface.triangles, at, 0.0);
  for (int e = 0; e < surface.edges.size(); ++e) {
    const auto& edge = surface.edges.corners[e];
    const int owner = surface.edges.owner[e];
    triangles.overlapping(edges.box(e), [&](int t) {
      const auto& triangle = surface.triangles.corners[t];
      const int other = surface.triangles.owner[t];
      if (!surface.may_meet(edge, owner, triangle, other) || share_corner(edge, triangle)) return;
      if (!crosses(at[edge[0]], at[edge[1]], at[triangle[0]], at[triangle[1]], at[triangle[2]])) return;
      const auto first = [&](int side) {
        return side < surface.bodies ? " (near point " : " (near its point ";
      };
      const auto number = [&](int side, int particle) {
        return side < surface.bodies ? particle : particle - surface.first_particle[side - surface.bodies];
      };
      const std::string with = owner == other ? "itself" : surface.names[other];
      throw Error(surface.names[owner] + " starts intersecting " + with + first(owner) +
                  std::to_string(number(owner, edge[0])) +
                  "); move them apart, as penalty layers only keep apart what is apart");
    });
  }
}

/// That no face or edge of a body lies in a round collider, whose points are outside of it.
void check_cores(const LayerSurface& surface, const std::vector<Vec3>& at) {
  Particles still;
  still.resize(surface.particles);
  for (int i = 0; i < surface.particles; ++i)
    still.x[i] = at[i], still.inverse_mass[i] = i < surface.system_points ? 1.0 : 0.0;
  const auto look = [&](PairKind kind, int a, int b, int owner_a, int owner_b) {
    LayerPair pair;
    if (!make_pair(surface, {}, still, kind, a, b, pair) || pair.look(still, 0.0).near.distance > 0.0) return;
    const int body = std::min(owner_a, owner_b), collider = std::max(owner_a, owner_b);
    throw Error(surface.names[body] + " starts inside " + surface.names[collider] + " (near point " +
                std::to_string(owner_a == body ? pair.corner[0] : pair.corner[3]) +
                "); move one of them, as penalty layers only keep apart what is apart");
  };
  const auto round = [&](int owner) { return surface.round(owner) > 0.0; };
  for (int i = 0; i < surface.vertices.size(); ++i)
    for (int t = 0; round(surface.vertices.owner[i]) && t < surface.triangles.size(); ++t)
      look(PairKind::point_triangle, i, t, surface.vertices.owner[i], surface.triangles.owner[t]);
  for (int e = 0; e < surface.edges.size(); ++e)
    for (int f = 0; round(surface.edges.owner[e]) && f < surface.edges.size(); ++f)
      look(PairKind::edge_edge, e, f, surface.edges.owner[e], surface.edges.owner[f]);
}

void check_thickness(const LayerSurface& surface, const Vector& rest) {
  const double thickness = surface.with_body.law.thickness;
  const std::vector<Vec3> at = places(surface, rest, 0.0);
  const GrowingTree vertices = tree_of(surface.vertices, at, 0.5 * thickness),
                    edges = tree_of(surface.edges, at, 0.5 * thickness),
                    triangles = tree_of(surface.triangles, at, 0.5 * thickness);
  double nearest = std::numeric_limits<double>::infinity();
  int owner = -1, near_point = -1;
  Particles still;
  still.resize(surface.particles);
  for (int i = 0; i < surface.particles; ++i) still.x[i] = at[i], still.inverse_mass[i] = 1.0;
  const auto look = [&](PairKind kind, int a, int b, int owner_a, int owner_b) {
    LayerPair pair;
    if (owner_a != owner_b || !make_pair(surface, {}, still, kind, a, b, pair)) return;
    const double gap = pair.look(still, 0.0).near.distance;
    if (gap < nearest) nearest = gap, owner = owner_a, near_point = pair.corner[0];
  };
  for (int t = 0; t < surface.triangles.size(); ++t)
    vertices.overlapping(triangles.box(t), [&](int i) {
      look(PairKind::point_triangle, i, t, surface.vertices.owner[i], surface.triangles.owner[t]);
    });
  for (int e = 0; e < surface.edges.size(); ++e)
    edges.overlapping(edges.box(e), [&](int f) {
      if (f > e) look(PairKind::edge_edge, e, f, surface.edges.owner[e], surface.edges.owner[f]);
    });
  if (nearest <= thickness)
    throw Error("contact.thickness: " + shortest(thickness) + " m is more than the " + shortest(nearest) +
                " m between neighbours of " + surface.names[owner] + " at rest (near point " +
                std::to_string(near_point) + "), so that it would push itself apart; give less");
}

}  // namespace

void check_start(const LayerSurface& surface, const Vector& rest, const Vector& x, double time) {
  check_thickness(surface, rest);
  const std::vector<Vec3> at = places(surface, x, time);
  check_shapes(surface, at, time);
  check_crossings(surface, at);
  check_cores(surface, at);
}

}  // namespace verve
