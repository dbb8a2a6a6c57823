// How a mesh hangs together: its edges, its holes and its pieces.
#pragma once

#include "mesh/MeshCheck.h"

namespace verve {

/// An edge of a triangle, with its two points in ascending order.
struct TriangleEdge {
  int a = 0, b = 0;
  int triangle = 0;
  bool forward = true;  ///< the triangle goes from a to b
};

/// The three edges of every triangle, those with the same points next to each other, then by triangle.
std::vector<TriangleEdge> sorted_edges(const std::vector<std::array<int, 3>>& triangles);

/// Calls body(first, last) for each run of edges that have the same points, as pointers to its first edge and
/// behind its last.
template <class Body>
void for_each_edge(const std::vector<TriangleEdge>& edges, const Body& body) {
  const TriangleEdge* const end = edges.data() + edges.size();
  for (const TriangleEdge *first = edges.data(), *last = first; first != end; first = last) {
    while (last != end && last->a == first->a && last->b == first->b) ++last;
    body(first, last);
  }
}

/// For each point the first point at exactly the same place: itself, when it is the only one.
std::vector<int> coincident_points(const std::vector<Vec3>& points);

struct TopologyReport {
  MeshReport::Entry duplicate_points;    ///< offender: a point at the place of an earlier one
  MeshReport::Entry open_edges;          ///< offender: a triangle with an edge of its own
  MeshReport::Entry non_manifold_edges;  ///< offender: a triangle at an edge of more than two
  MeshReport::Entry flipped_edges;       ///< offender: a triangle that winds against its neighbour
  int pieces = 0;                        ///< triangles that share edges, tets that share faces
  int smallest_piece = 0;                ///< elements of the smallest of them
  int first_of_smallest = -1;            ///< its first element
};

/// By triangle: 1 for those to turn round so that neighbours wind alike, the fewer ones of each piece. Where
/// a surface has only one side some neighbours stay as they are.
std::vector<char> turned_triangles(const std::vector<std::array<int, 3>>& triangles);

/// For meshes whose indices are within range. Triangles that share no point but only places are not joined:
/// weld the mesh to see how its pieces fit.
TopologyReport topology(const TriangleMesh& mesh);
/// The edges are those of the tets' surface; offenders are numbered as in surface_triangles().
TopologyReport topology(const TetMesh& mesh);

}  // namespace verve
