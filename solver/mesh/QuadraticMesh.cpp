#include "mesh/QuadraticMesh.h"

#include <algorithm>
#include <map>

#include "mesh/MeshGeometry.h"

namespace verve {

QuadraticMesh quadratic_mesh(const TetMesh& mesh) {
  constexpr int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  // A small tet at each corner, and four around the line between the middles of the edges 02 and 13.
  constexpr int parts[8][4] = {{0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3},
                               {5, 8, 4, 6}, {5, 8, 6, 9}, {5, 8, 9, 7}, {5, 8, 7, 4}};
  QuadraticMesh out;
  out.shown.points = mesh.points;
  std::map<std::array<int, 2>, int> middles;
  for (const auto& tet : mesh.tets) {
    std::array<int, 10> element;
    std::copy(tet.begin(), tet.end(), element.begin());
    for (int e = 0; e < 6; ++e) {
      const int a = tet[edges[e][0]], b = tet[edges[e][1]];
      const auto [place, fresh] =
          middles.try_emplace({std::min(a, b), std::max(a, b)}, int(out.shown.points.size()));
      if (fresh) out.shown.points.push_back(0.5 * (mesh.points[a] + mesh.points[b]));
      element[4 + e] = place->second;
    }
    out.elements.push_back(element);
    for (const auto& part : parts) {
      std::array<int, 4> small;
      for (int k = 0; k < 4; ++k) small[k] = element[part[k]];
      const auto& p = out.shown.points;
      if (tet_volume(p[small[0]], p[small[1]], p[small[2]], p[small[3]]) < 0.0) std::swap(small[2], small[3]);
      out.shown.tets.push_back(small);
    }
  }
  return out;
}

}  // namespace verve
