#include "geometry/PolygonTriangles.h"

namespace verve {

std::vector<std::array<int, 3>> polygon_triangles(const Geometry& geometry) {
  std::vector<std::array<int, 3>> triangles;
  for (std::size_t i = 0; i < geometry.primitive_types.size(); ++i) {
    if (geometry.primitive_types[i] != PrimitiveType::Polygon) continue;
    const int *first = geometry.vertex_points.data() + geometry.primitive_starts[i],
              *end = geometry.vertex_points.data() + geometry.primitive_starts[i + 1];
    for (const int* p = first + 2; p < end; ++p) triangles.push_back({*first, p[-1], *p});
  }
  return triangles;
}

std::vector<std::array<int, 2>> line_segments(const Geometry& geometry) {
  std::vector<std::array<int, 2>> segments;
  for (int p = 0; p < geometry.primitive_count(); ++p) {
    if (geometry.primitive_types[std::size_t(p)] != PrimitiveType::Polyline) continue;
    const int* vertex = geometry.vertex_points.data();
    for (int v = geometry.primitive_starts[p]; v + 1 < geometry.primitive_starts[p + 1]; ++v)
      segments.push_back({vertex[v], vertex[v + 1]});
  }
  return segments;
}

}  // namespace verve
