#include "contact/Skin.h"

#include "contact/SimplexDistance.h"
#include "mesh/TriangleTree.h"

namespace verve {
namespace {

std::vector<int> points_of(const std::vector<std::array<int, 3>>& triangles) {
  std::vector<int> points;
  for (const auto& t : triangles) points.insert(points.end(), t.begin(), t.end());
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

int index_of(const std::vector<int>& points, int p) {
  return int(std::lower_bound(points.begin(), points.end(), p) - points.begin());
}

std::vector<Vec3> places(const std::vector<int>& points, const Vector& x) {
  std::vector<Vec3> out;
  out.reserve(points.size());
  for (int p : points) out.push_back(point(x, p));
  return out;
}

TriangleMesh local_mesh(const std::vector<std::array<int, 3>>& triangles, const std::vector<int>& points,
                        const std::vector<Vec3>& rest) {
  TriangleMesh mesh{rest, triangles};
  for (auto& t : mesh.triangles)
    for (int& p : t) p = index_of(points, p);
  return mesh;
}

}  // namespace

Skin::Skin(const std::vector<std::array<int, 3>>& triangles, const Vector& rest, const std::string& name)
    : Skin(triangles, rest, name, points_of(triangles)) {}

Skin::Skin(const std::vector<std::array<int, 3>>& triangles, const Vector& rest, const std::string& name,
           std::vector<int> points)
    : points_(std::move(points)),
      rest_(places(points_, rest)),
      surface_(std::make_shared<const MeshSurface>(local_mesh(triangles, points_, rest_), name)),
      start_(surface_, rest_),
      end_(surface_, rest_) {
  for (const auto& t : surface_->triangles)
    for (int k = 0; k < 3; ++k) edge_ += (rest_[t[k]] - rest_[t[(k + 1) % 3]]).norm();
  edge_ /= 3.0 * double(surface_->triangles.size());
}

void Skin::place(const Vector& x, MeshShape& shape) const {
  shape.refit([&](int i) -> Vec3 { return point(x, points_[i]); });
}

std::array<int, 3> Skin::corners(int triangle) const {
  const auto& t = surface_->triangles[triangle];
  return {points_[t[0]], points_[t[1]], points_[t[2]]};
}

bool Skin::neighbours(int a, int b, double thickness) const {
  const auto &p = surface_->edges[a].point, &q = surface_->edges[b].point;
  return edge_to_edge({rest_[p[0]], rest_[p[1]], rest_[q[0]], rest_[q[1]]}).distance <= spare(thickness);
}

Distance Skin::distance(const MeshShape& shape, const Vec3& p, double limit, const Seeker& seeker) const {
  const bool own = seeker.point >= 0;
  const std::vector<char>* met =
      seeker.met && !seeker.met->triangle.empty() ? &seeker.met->triangle : nullptr;
  if (!own && !met) return shape.distance(p, limit);
  const double apart = spare(seeker.thickness);
  const Vec3 home = own ? rest_[index_of(points_, seeker.point)] : Vec3::Zero();
  Distance d = shape.nearest(p, limit, [&](int triangle) {
    if (met && !(*met)[triangle]) return false;
    if (!own) return true;
    if (start_.height(triangle, seeker.start) < -seeker.thickness) return false;
    const auto& t = surface_->triangles[triangle];
    const Vec3 &a = rest_[t[0]], &b = rest_[t[1]], &c = rest_[t[2]];
    const Vec3 w = closest_weights(home, a, b, c);
    return (w[0] * a + w[1] * b + w[2] * c - home).squaredNorm() > apart * apart;
  });
  if (!own) return d;
  // Only behind the middle of a face, and not deeper than it came, is inside: beyond an edge the body is
  // another part of itself.
  const double deepest = seeker.thickness + (p - seeker.start).norm();
  if (d.value < 0.0 && (d.value < -deepest || d.weights.minCoeff() < 1e-12))
    d.value = -d.value, d.normal = -d.normal;
  return d;
}

}  // namespace verve
