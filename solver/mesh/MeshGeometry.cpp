#include "mesh/MeshGeometry.h"

#include <algorithm>

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
  std::vector<TetFace> faces;
  faces.reserve(4 * mesh.tets.size());
  for (const auto& t : mesh.tets)
    for (const auto& f : tet_faces) {
      std::array<int, 3> corners{t[f[0]], t[f[1]], t[f[2]]};
      std::sort(corners.begin(), corners.end());
      faces.push_back({corners, int(faces.size())});
    }
  std::sort(faces.begin(), faces.end(), [](const TetFace& a, const TetFace& b) {
    return a.corners != b.corners ? a.corners < b.corners : a.place < b.place;
  });
  return faces;
}

std::vector<std::array<int, 3>> surface_triangles(const TetMesh& mesh) {
  const std::vector<TetFace> faces = sorted_faces(mesh);
  std::vector<int> places;
  for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
    while (end < faces.size() && faces[end].corners == faces[begin].corners) ++end;
    if (end - begin == 1) places.push_back(faces[begin].place);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::array<int, 3>> triangles;
  triangles.reserve(places.size());
  for (int place : places) {
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
