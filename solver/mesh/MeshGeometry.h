// Sizes of meshes: volumes, areas, bounds, and the surface of a volume.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "mesh/TetMesh.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// The four triangles of a tet of positive volume, counter-clockwise seen from outside; face i is opposite to
/// corner i.
constexpr int tet_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
/// The six edges of a tet; edges e and 5 - e are opposite.
constexpr int tet_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// Signed volume of a tet, positive for the orientation that TetMesh promises.
inline double tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).dot((c - a).cross(d - a)) / 6;
}

inline double tet_volume(const TetMesh& mesh, int tet) {
  const auto& t = mesh.tets[tet];
  return tet_volume(mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]], mesh.points[t[3]]);
}

/// The sum of the tets' signed volumes.
double volume(const TetMesh& mesh);

/// The volume that a closed surface encloses, positive when its triangles wind as TriangleMesh promises.
double enclosed_volume(const TriangleMesh& mesh);

double area(const TriangleMesh& mesh);

/// The smallest box around the points; empty when there are none.
Eigen::AlignedBox3d bounds(const std::vector<Vec3>& points);

/// A face of a tet: its points in ascending order, and 4 tet + face as in tet_faces.
struct TetFace {
  int a = 0, b = 0, c = 0;
  int place = 0;
  bool same_points(const TetFace& other) const { return a == other.a && b == other.b && c == other.c; }
};

/// The four faces of every tet, those with the same points next to each other.
std::vector<TetFace> sorted_faces(const TetMesh& mesh);

/// The faces that belong to one tet only, winding counter-clockwise seen from outside, in the order of tets.
std::vector<std::array<int, 3>> surface_triangles(const TetMesh& mesh);
std::vector<std::array<int, 3>> surface_triangles(const TetMesh& mesh, const std::vector<TetFace>& faces);
/// The same faces as in surface_triangles(), as 4 tet + face.
std::vector<int> surface_places(const std::vector<TetFace>& faces);

/// The same faces as a mesh of its own; `point_of`, when given, receives the tet mesh's point of each point.
TriangleMesh surface(const TetMesh& mesh, std::vector<int>* point_of = nullptr);

}  // namespace verve
