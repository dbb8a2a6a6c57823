#include "io/GeometryMesh.h"

#include <cmath>

#include "base/Error.h"
#include "geometry/PolygonTriangles.h"
#include "io/GeometryFile.h"

namespace verve {
namespace {

/// The numbers of a point attribute, `size` a point; empty when there is none.
std::vector<double> numbers(const Geometry& geometry, const char* name, int size) {
  const Attribute* a = geometry.find(Owner::Point, name);
  if (!a) return {};
  const std::string what = std::string("the point attribute '") + name + "'";
  if (a->is_array() || a->is_text() || a->tuple_size != size)
    throw Error(what + " must be " + (size == 1 ? "a number" : std::to_string(size) + " numbers") +
                " a point; rename it if it means something else");
  std::vector<double> values(a->size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = a->number(i);
    if (!std::isfinite(values[i]))
      throw Error(what + " is not a finite number at point " + std::to_string(i / std::size_t(size)));
  }
  return values;
}

std::vector<double> positive(const Geometry& geometry, const char* name) {
  std::vector<double> values = numbers(geometry, name, 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] > 0.0))
      throw Error(std::string("the point attribute '") + name + "' is " + std::to_string(values[i]) +
                  " at point " + std::to_string(i) + "; it must be above 0");
  return values;
}

}  // namespace

MeshFile mesh_of(const Geometry& geometry) {
  MeshFile mesh;
  const Vector x = geometry.positions();
  mesh.points.resize(std::size_t(geometry.point_count));
  for (int i = 0; i < geometry.point_count; ++i) mesh.points[std::size_t(i)] = point(x, i);
  mesh.triangles = polygon_triangles(geometry);
  for (std::size_t i = 0; i < geometry.primitive_types.size(); ++i) {
    if (geometry.primitive_types[i] != PrimitiveType::Tetrahedron) continue;
    const int* p = geometry.vertex_points.data() + geometry.primitive_starts[i];
    mesh.tets.push_back({p[0], p[1], p[2], p[3]});
  }
  return mesh;
}

Geometry geometry_of(const MeshFile& mesh) {
  Geometry geometry;
  geometry.point_count = int(mesh.points.size());
  auto& p = geometry.add<double>(Owner::Point, "P", 3, "point");
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = mesh.points[i / 3][int(i % 3)];
  for (const auto& tet : mesh.tets) geometry.add_primitive(PrimitiveType::Tetrahedron, tet);
  for (const auto& triangle : mesh.triangles) geometry.add_primitive(PrimitiveType::Polygon, triangle);
  return geometry;
}

Geometry load_geometry(const std::string& path, std::vector<std::string>& warnings) {
  if (!has_attributes(path)) return geometry_of(load_mesh(path));
  std::vector<std::string> said;
  Geometry geometry = read_geometry(path, &said);
  for (const std::string& sentence : said) warnings.push_back(path + ": " + sentence);
  return geometry;
}

PointAttributes point_attributes(const Geometry& geometry) {
  PointAttributes found;
  found.stiffness = positive(geometry, "stiffness");
  found.massdensity = positive(geometry, "massdensity");
  found.mass = positive(geometry, "mass");
  const std::vector<double> v = numbers(geometry, "v", 3);
  for (std::size_t i = 0; i < v.size(); i += 3) found.v.emplace_back(v[i], v[i + 1], v[i + 2]);
  const std::vector<double> pin = numbers(geometry, "pintoanimation", 1);
  for (std::size_t i = 0; i < pin.size(); ++i)
    if (pin[i] != 0.0) found.pinned.push_back(int(i));
  return found;
}

}  // namespace verve
