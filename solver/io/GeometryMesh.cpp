#include "io/GeometryMesh.h"

#include "geometry/PolygonTriangles.h"
#include "io/GeometryFile.h"
#include "io/MeshFiles.h"

namespace verve {

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

}  // namespace verve
