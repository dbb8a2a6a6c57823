#include "geometry/TetSurface.h"

#include <algorithm>

namespace verve {

std::vector<std::array<int, 3>> tet_surface(const Geometry& geometry) {
  constexpr int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  struct Face {
    std::array<int, 3> sorted, wound;
    std::size_t number;
  };
  std::vector<Face> all;
  for (std::size_t i = 0; i < geometry.primitive_types.size(); ++i) {
    if (geometry.primitive_types[i] != PrimitiveType::Tetrahedron) continue;
    const int* p = geometry.vertex_points.data() + geometry.primitive_starts[i];
    for (const auto& f : faces) {
      Face face{{p[f[0]], p[f[1]], p[f[2]]}, {p[f[0]], p[f[1]], p[f[2]]}, all.size()};
      std::sort(face.sorted.begin(), face.sorted.end());
      all.push_back(face);
    }
  }
  std::sort(all.begin(), all.end(), [](const Face& a, const Face& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.number < b.number;
  });
  std::vector<Face> skin;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].sorted == all[begin].sorted) ++end;
    if (end - begin == 1) skin.push_back(all[begin]);
  }
  std::sort(skin.begin(), skin.end(), [](const Face& a, const Face& b) { return a.number < b.number; });
  std::vector<std::array<int, 3>> triangles;
  for (const Face& face : skin) triangles.push_back(face.wound);
  return triangles;
}

}  // namespace verve
