#include "mesh/MeshTopology.h"

#include <algorithm>
#include <numeric>

#include "mesh/MeshGeometry.h"
#include "mesh/UnionFind.h"

namespace verve {
namespace {

void count_pieces(UnionFind& sets, int elements, TopologyReport& report) {
  std::vector<int> size(elements, 0);
  for (int i = 0; i < elements; ++i) ++size[sets.find(i)];
  for (int i = 0; i < elements; ++i) {
    if (size[i] == 0) continue;
    ++report.pieces;
    if (report.first_of_smallest < 0 || size[i] < report.smallest_piece)
      report.smallest_piece = size[i], report.first_of_smallest = i;
  }
}

// The part of the report that points and triangles decide.
UnionFind inspect(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles,
                  TopologyReport& report) {
  const std::vector<int> same = coincident_points(points);
  for (std::size_t i = 0; i < same.size(); ++i)
    if (same[i] != int(i)) report.duplicate_points.add(int(i));
  UnionFind sets{int(triangles.size())};
  const auto edges = sorted_edges(triangles);
  for_each_edge(edges, [&](const TriangleEdge* first, const TriangleEdge* last) {
    for (const TriangleEdge* e = first; e != last; ++e) sets.join(first->triangle, e->triangle);
    if (last - first == 1) report.open_edges.add(first->triangle);
    if (last - first > 2) report.non_manifold_edges.add(first->triangle);
    if (last - first == 2 && first[0].forward == first[1].forward)
      report.flipped_edges.add(first[1].triangle);
  });
  return sets;
}

}  // namespace

std::vector<TriangleEdge> sorted_edges(const std::vector<std::array<int, 3>>& triangles) {
  std::vector<TriangleEdge> edges;
  edges.reserve(3 * triangles.size());
  for (int i = 0; i < int(triangles.size()); ++i)
    for (int c = 0; c < 3; ++c) {
      const int from = triangles[i][c], to = triangles[i][(c + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), i, from < to});
    }
  std::sort(edges.begin(), edges.end(), [](const TriangleEdge& x, const TriangleEdge& y) {
    if (x.a != y.a) return x.a < y.a;
    return x.b != y.b ? x.b < y.b : x.triangle < y.triangle;
  });
  return edges;
}

std::vector<char> turned_triangles(const std::vector<std::array<int, 3>>& triangles) {
  const std::size_t count = triangles.size();
  struct Neighbour {
    int triangle;
    bool alike;
  };
  std::vector<std::array<Neighbour, 3>> neighbours(count, {{{-1, true}, {-1, true}, {-1, true}}});
  std::vector<int> filled(count, 0);
  const std::vector<TriangleEdge> edges = sorted_edges(triangles);
  for_each_edge(edges, [&](const TriangleEdge* first, const TriangleEdge* last) {
    if (last - first != 2 || first[0].triangle == first[1].triangle) return;
    const bool alike = first[0].forward != first[1].forward;
    for (int k : {0, 1})
      neighbours[first[k].triangle][filled[first[k].triangle]++] = {first[1 - k].triangle, alike};
  });
  std::vector<char> turned(count, 0), seen(count, 0);
  std::vector<int> piece;
  for (std::size_t seed = 0; seed < count; ++seed) {
    if (seen[seed]) continue;
    piece.assign(1, int(seed));
    seen[seed] = 1;
    std::size_t turns = 0;
    for (std::size_t k = 0; k < piece.size(); ++k)
      for (const Neighbour& n : neighbours[piece[k]]) {
        if (n.triangle < 0 || seen[n.triangle]) continue;
        seen[n.triangle] = 1;
        turned[n.triangle] = char(turned[piece[k]] ^ char(!n.alike));
        turns += std::size_t(turned[n.triangle]);
        piece.push_back(n.triangle);
      }
    if (2 * turns > piece.size())
      for (int i : piece) turned[i] ^= 1;
  }
  return turned;
}

std::vector<int> coincident_points(const std::vector<Vec3>& points) {
  std::vector<int> order(points.size()), first(points.size());
  std::iota(order.begin(), order.end(), 0);
  first = order;
  const auto before = [&](int i, int j) {
    for (int axis = 0; axis < 3; ++axis)
      if (points[i][axis] != points[j][axis]) return points[i][axis] < points[j][axis];
    return i < j;
  };
  // Points that are not finite have no place: they cannot be sorted and coincide with nothing.
  order.erase(std::remove_if(order.begin(), order.end(), [&](int i) { return !points[i].allFinite(); }),
              order.end());
  std::sort(order.begin(), order.end(), before);
  for (std::size_t k = 1; k < order.size(); ++k)
    if (points[order[k]] == points[order[k - 1]]) first[order[k]] = first[order[k - 1]];
  return first;
}

TopologyReport topology(const TriangleMesh& mesh) {
  TopologyReport report;
  UnionFind sets = inspect(mesh.points, mesh.triangles, report);
  count_pieces(sets, int(mesh.triangles.size()), report);
  return report;
}

TopologyReport topology(const TetMesh& mesh) {
  TopologyReport report;
  const auto faces = sorted_faces(mesh);
  inspect(mesh.points, surface_triangles(mesh, faces), report);
  UnionFind sets{int(mesh.tets.size())};
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (faces[i].same_points(faces[i - 1])) sets.join(faces[i - 1].place / 4, faces[i].place / 4);
  count_pieces(sets, int(mesh.tets.size()), report);
  return report;
}

}  // namespace verve
