#include "mesh/SurfaceRepair.h"

#include <algorithm>
#include <cmath>

#include "mesh/MeshGeometry.h"
#include "mesh/MeshTopology.h"
#include "mesh/TriangleTree.h"

namespace verve {
namespace {

using Triangle = std::array<int, 3>;

Vec3 area_vector(const TriangleMesh& mesh, const Triangle& t) {
  return (mesh.points[t[1]] - mesh.points[t[0]]).cross(mesh.points[t[2]] - mesh.points[t[0]]) / 2;
}

void turn(Triangle& t) {
  std::swap(t[1], t[2]);
}

// Takes over the triangles that mean something, on welded points.
void weld(const TriangleMesh& surface, RepairedSurface& out) {
  const std::vector<int> same = coincident_points(surface.points);
  for (int i = 0; i < int(same.size()); ++i) out.welded += same[i] != i;
  out.mesh.points = surface.points;
  std::vector<std::pair<Triangle, int>> seen;
  for (int i = 0; i < int(surface.triangles.size()); ++i) {
    Triangle t = surface.triangles[i];
    const auto bad = [&](int p) { return !surface.points[p].allFinite(); };
    if (std::any_of(t.begin(), t.end(), bad)) {
      out.not_finite.add(i);
      continue;
    }
    for (int& p : t) p = same[p];
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      out.collapsed.add(i);
      continue;
    }
    out.mesh.triangles.push_back(t);
    out.triangle_of.push_back(i);
    std::sort(t.begin(), t.end());
    seen.emplace_back(t, int(seen.size()));
  }

  std::sort(seen.begin(), seen.end());
  std::vector<char> doubled(seen.size(), 0);
  for (std::size_t k = 1; k < seen.size(); ++k)
    if (seen[k].first == seen[k - 1].first) doubled[seen[k].second] = 1;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < doubled.size(); ++i) {
    if (doubled[i]) {
      out.duplicates.add(out.triangle_of[i]);
      continue;
    }
    out.mesh.triangles[kept] = out.mesh.triangles[i];
    out.triangle_of[kept++] = out.triangle_of[i];
  }
  out.mesh.triangles.resize(kept);
  out.triangle_of.resize(kept);
  remove_unreferenced(out.mesh);
}

// Makes each piece wind one way, that of most of its triangles. Returns the pieces.
std::vector<std::vector<int>> wind_alike(RepairedSurface& out) {
  auto& triangles = out.mesh.triangles;
  const auto edges = sorted_edges(triangles);
  struct Neighbour {
    int triangle;
    bool against;
  };
  std::vector<std::vector<Neighbour>> neighbours(triangles.size());
  for_each_edge(edges, [&](const TriangleEdge* first, const TriangleEdge* last) {
    if (last - first == 1) out.open_edges.add(out.triangle_of[first->triangle]);
    if (last - first > 2) out.crowded_edges.add(out.triangle_of[first->triangle]);
    if (last - first != 2) return;
    const bool against = first[0].forward == first[1].forward;
    neighbours[first[0].triangle].push_back({first[1].triangle, against});
    neighbours[first[1].triangle].push_back({first[0].triangle, against});
  });

  std::vector<std::vector<int>> pieces;
  std::vector<char> side(triangles.size(), 0);  // 1 or 2 once reached: winds as the piece's first, or against
  for (int start = 0; start < int(triangles.size()); ++start) {
    if (side[start]) continue;
    std::vector<int> piece{start};
    side[start] = 1;
    long against = 0;
    for (std::size_t k = 0; k < piece.size(); ++k)
      for (const Neighbour& n : neighbours[piece[k]]) {
        if (side[n.triangle]) continue;
        side[n.triangle] = char(n.against ? 3 - side[piece[k]] : side[piece[k]]);
        against += side[n.triangle] == 2;
        piece.push_back(n.triangle);
      }
    const char minority = 2 * against > long(piece.size()) ? 1 : 2;
    for (int t : piece)
      if (side[t] == minority) {
        turn(triangles[t]);
        out.flipped.add(out.triangle_of[t]);
      }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

// A piece in front of which the surface goes round the wrong way faces inwards. Walls of cavities do not: in
// front of them, inside the cavity, they undo the surface around them. Where a piece runs through itself its
// parts disagree, so a sample of its triangles votes.
void face_outwards(RepairedSurface& out, const std::vector<std::vector<int>>& pieces) {
  constexpr std::size_t votes = 33;
  const double step = 1e-7 * bounds(out.mesh.points).diagonal().norm();
  const TriangleTree tree(out.mesh);
  std::vector<int> inwards;
  for (int k = 0; k < int(pieces.size()); ++k) {
    const auto& piece = pieces[k];
    const std::size_t asked = std::min(votes, piece.size());
    std::size_t wrong = 0;
    for (std::size_t v = 0; v < asked; ++v) {
      const Triangle& t = out.mesh.triangles[piece[v * piece.size() / asked]];
      const auto& p = out.mesh.points;
      const Vec3 front = (p[t[0]] + p[t[1]] + p[t[2]]) / 3 + step * area_vector(out.mesh, t).normalized();
      wrong += tree.winding(front) < -0.5;
    }
    if (2 * wrong > asked) inwards.push_back(k);
  }
  for (int k : inwards) {
    for (int t : pieces[k]) turn(out.mesh.triangles[t]);
    out.inside_out.add(out.triangle_of[pieces[k].front()]);
  }
}

void measure_holes(RepairedSurface& out) {
  const auto edges = sorted_edges(out.mesh.triangles);
  for_each_edge(edges, [&](const TriangleEdge* first, const TriangleEdge* last) {
    int net = 0;
    for (const TriangleEdge* e = first; e != last; ++e) net += e->forward ? 1 : -1;
    out.open_length += std::abs(net) * (out.mesh.points[first->a] - out.mesh.points[first->b]).norm();
  });
}

}  // namespace

RepairedSurface repair_surface(const TriangleMesh& surface) {
  RepairedSurface out;
  weld(surface, out);
  const auto flat = check(out.mesh);
  out.flat = flat[Defect::degenerate];
  if (out.flat.first >= 0) out.flat.first = out.triangle_of[out.flat.first];
  const auto pieces = wind_alike(out);
  out.pieces = int(pieces.size());
  face_outwards(out, pieces);
  measure_holes(out);
  return out;
}

}  // namespace verve
