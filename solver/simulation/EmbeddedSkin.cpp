#include "simulation/EmbeddedSkin.h"

#include <numeric>

#include "geometry/PolygonTriangles.h"

namespace verve {
namespace {

TriangleMesh triangles(const Geometry& surface) {
  TriangleMesh mesh;
  const Vector x = surface.positions();
  for (int i = 0; i < surface.point_count; ++i) mesh.points.emplace_back(point(x, i));
  mesh.triangles = polygon_triangles(surface);
  if (mesh.triangles.empty()) throw Error("skin: the surface has no polygons");
  return mesh;
}

/// Puts vectors into an attribute of 32-bit floats, as Houdini has them.
void put(Geometry& geometry, Owner owner, const std::string& name, const std::string& type_info,
         const std::vector<Vec3>& values) {
  auto& out = geometry.add<float>(owner, name, 3, type_info);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (int k = 0; k < 3; ++k) out[3 * i + std::size_t(k)] = float(values[i][k]);
}

}  // namespace

EmbeddedSkin::EmbeddedSkin(Geometry surface, const TetMesh& cage)
    : surface_(std::move(surface)), binding_(triangles(surface_), cage) {}

Geometry EmbeddedSkin::at(const Vector& x, const Vector& v) const {
  Geometry geometry = surface_;
  std::vector<Vec3> values;
  binding_.positions(x, values);
  put(geometry, Owner::Point, "P", "point", values);
  binding_.positions(v, values);
  put(geometry, Owner::Point, "v", "vector", values);
  for (const Owner owner : {Owner::Point, Owner::Vertex}) turn_normals(geometry, owner, x);
  return geometry;
}

void EmbeddedSkin::turn_normals(Geometry& geometry, Owner owner, const Vector& x) const {
  const Attribute* n = surface_.find(owner, "N");
  if (!n || n->is_text() || n->is_array() || n->tuple_size != 3) return;
  std::vector<int> points = surface_.vertex_points;
  if (owner == Owner::Point) {
    points.resize(std::size_t(surface_.point_count));
    std::iota(points.begin(), points.end(), 0);
  }
  std::vector<Vec3> rest(points.size()), turned;
  for (std::size_t i = 0; i < rest.size(); ++i)
    rest[i] = {n->number(3 * i), n->number(3 * i + 1), n->number(3 * i + 2)};
  binding_.turn_normals(x, points, rest, turned);
  put(geometry, owner, "N", n->type_info, turned);
}

}  // namespace verve
