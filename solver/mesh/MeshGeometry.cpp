#include "mesh/MeshGeometry.h"

#include <algorithm>
#include <numeric>

#include "base/Parallel.h"

namespace verve {

double volume(const TetMesh& mesh) {
  double sum = 0;
  for (int i = 0; i < int(mesh.tets.size()); ++i) sum += tet_volume(mesh, i);
  return sum;
}

double enclosed_volume(const TriangleMesh& mesh) {
  if (mesh.points.empty()) return 0;
  const Vec3 origin = mesh.points.front();
  double sum = 0;
  for (const auto& t : mesh.triangles)
    sum += tet_volume(origin, mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]);
  return sum;
}

double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles)
    sum += (mesh.points[t[1]] - mesh.points[t[0]]).cross(mesh.points[t[2]] - mesh.points[t[0]]).norm() / 2;
  return sum;
}

Eigen::AlignedBox3d bounds(const std::vector<Vec3>& points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) box.extend(p);
  return box;
}

std::vector<TetFace> sorted_faces(const TetMesh& mesh) {
  // Counting by the lowest point leaves only short runs to sort.
  const auto for_each_face = [&](const auto& body) {
    for (int i = 0; i < int(mesh.tets.size()); ++i)
      for (int f = 0; f < 4; ++f) {
        const auto& t = mesh.tets[i];
        int a = t[tet_faces[f][0]], b = t[tet_faces[f][1]], c = t[tet_faces[f][2]];
        if (a > b) std::swap(a, b);
        if (b > c) std::swap(b, c);
        if (a > b) std::swap(a, b);
        body(TetFace{a, b, c, 4 * i + f});
      }
  };
  std::vector<int> start(mesh.points.size() + 1, 0);
  for_each_face([&](const TetFace& face) { ++start[face.a + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<TetFace> faces(4 * mesh.tets.size());
  std::vector<int> fill(start.begin(), start.end() - 1);
  for_each_face([&](const TetFace& face) { faces[fill[face.a]++] = face; });
  parallel_pieces(int(mesh.points.size()), 1024, [&](int begin, int end) {
    for (int p = begin; p < end; ++p)
      std::sort(faces.begin() + start[p], faces.begin() + start[p + 1],
                [](const TetFace& x, const TetFace& y) {
                  if (x.b != y.b) return x.b < y.b;
                  return x.c != y.c ? x.c < y.c : x.place < y.place;
                });
  });
  return faces;
}

std::vector<std::array<int, 3>> surface_triangles(const TetMesh& mesh) {
  return surface_triangles(mesh, sorted_faces(mesh));
}

std::vector<int> surface_places(const std::vector<TetFace>& faces) {
  std::vector<int> places;
  for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
    while (end < faces.size() && faces[end].same_points(faces[begin])) ++end;
    if (end - begin == 1) places.push_back(faces[begin].place);
  }
  std::sort(places.begin(), places.end());
  return places;
}

std::vector<std::array<int, 3>> surface_triangles(const TetMesh& mesh, const std::vector<TetFace>& faces) {
  std::vector<std::array<int, 3>> triangles;
  for (int place : surface_places(faces)) {
    const auto& t = mesh.tets[place / 4];
    const auto& f = tet_faces[place % 4];
    triangles.push_back({t[f[0]], t[f[1]], t[f[2]]});
  }
  return triangles;
}

TriangleMesh surface(const TetMesh& mesh, std::vector<int>* point_of) {
  TriangleMesh out;
  out.triangles = surface_triangles(mesh);
  std::vector<int> renumbered(mesh.points.size(), -1), origin;
  for (auto& t : out.triangles)
    for (int& p : t) {
      if (renumbered[p] < 0) {
        renumbered[p] = int(out.points.size());
        out.points.push_back(mesh.points[p]);
        origin.push_back(p);
      }
      p = renumbered[p];
    }
  if (point_of) *point_of = std::move(origin);
  return out;
}

}  // namespace verve
