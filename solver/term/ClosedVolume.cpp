#include "term/ClosedVolume.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

#include "mesh/MeshTopology.h"
#include "mesh/UnionFind.h"

namespace verve {
namespace {

double signed_volume(const ClosedPiece& triangles, const std::vector<Vec3>& p) {
  const Vec3 o = p[std::size_t(triangles[0][0])];
  double sum = 0.0;
  for (const auto& [a, b, c] : triangles)
    sum += (p[std::size_t(a)] - o).dot((p[std::size_t(b)] - o).cross(p[std::size_t(c)] - o));
  return sum / 6.0;
}

}  // namespace

ClosedPieces closed_pieces(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& rest) {
  std::vector<std::array<int, 3>> wound = triangles;
  const std::vector<char> turn = turned_triangles(triangles);
  for (std::size_t t = 0; t < wound.size(); ++t)
    if (turn[t]) std::swap(wound[t][1], wound[t][2]);

  UnionFind sets(int(wound.size()));
  std::vector<std::string> leaks(wound.size());
  const std::vector<TriangleEdge> edges = sorted_edges(wound);
  for_each_edge(edges, [&](const TriangleEdge* first, const TriangleEdge* last) {
    for (const TriangleEdge* e = first; e != last; ++e) sets.join(first->triangle, e->triangle);
  });
  for_each_edge(edges, [&](const TriangleEdge* first, const TriangleEdge* last) {
    std::string& leak = leaks[std::size_t(sets.find(first->triangle))];
    const std::string where =
        "the edge between points " + std::to_string(first->a) + " and " + std::to_string(first->b);
    if (!leak.empty()) return;
    if (last - first == 1)
      leak = where + " has no triangle on one side";
    else if (last - first > 2)
      leak = where + " has " + std::to_string(last - first) + " triangles";
    else if (first[0].forward == first[1].forward)
      leak = "the surface has only one side, as seen at " + where;
  });

  std::map<int, ClosedPiece> pieces;  // by their first triangle
  for (std::size_t t = 0; t < wound.size(); ++t) pieces[sets.find(int(t))].push_back(wound[t]);
  ClosedPieces found;
  std::vector<ClosedPiece> hollow;
  for (auto& [first, piece] : pieces) {
    const std::string& leak = leaks[std::size_t(first)];
    if (!leak.empty()) {
      if (found.open++ == 0) found.leak = leak;
      continue;
    }
    const bool inward = signed_volume(piece, rest) < 0.0;
    if (inward)
      for (auto& t : piece) std::swap(t[1], t[2]);
    (inward ? hollow : found.closed).push_back(std::move(piece));
  }
  found.hollow = int(hollow.size());
  found.closed.insert(found.closed.end(), hollow.begin(), hollow.end());
  return found;
}

ClosedVolume::ClosedVolume(const ClosedPiece& triangles) : triangles_(triangles) {
  for (const auto& t : triangles) points_.insert(points_.end(), t.begin(), t.end());
  std::sort(points_.begin(), points_.end());
  points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
  for (auto& t : triangles_)
    for (int& p : t) p = int(std::lower_bound(points_.begin(), points_.end(), p) - points_.begin());
  const std::vector<TriangleEdge> edges = sorted_edges(triangles);
  for_each_edge(edges, [&](const TriangleEdge* first, const TriangleEdge*) {
    Edge edge{{first->a, first->b}, {}, {}};
    for (int k : {0, 1})
      for (int p : triangles[std::size_t(first[k].triangle)])
        if (p != first->a && p != first->b) edge.across[first[k].forward ? 0 : 1] = p;
    edges_.push_back(edge);
  });
}

double ClosedVolume::volume(const Vector& x) const {
  const Vec3 o = point(x, points_[0]);  // near by, against round-off
  double sum = 0.0;
  for (const auto& [a, b, c] : triangles_) {
    const Vec3 p = point(x, points_[std::size_t(a)]) - o, q = point(x, points_[std::size_t(b)]) - o,
               r = point(x, points_[std::size_t(c)]) - o;
    sum += p.dot(q.cross(r));
  }
  return sum / 6.0;
}

void ClosedVolume::gradient(const Vector& x, Vector& out) const {
  const Vec3 o = point(x, points_[0]);
  out.setZero(3 * Eigen::Index(points_.size()));
  for (const auto& [a, b, c] : triangles_) {
    const Vec3 p = point(x, points_[std::size_t(a)]) - o, q = point(x, points_[std::size_t(b)]) - o,
               r = point(x, points_[std::size_t(c)]) - o;
    point(out, a) += q.cross(r) / 6.0;
    point(out, b) += r.cross(p) / 6.0;
    point(out, c) += p.cross(q) / 6.0;
  }
}

void ClosedVolume::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
  for (const Edge& e : edges_) pairs.push_back(e.point);
}

void ClosedVolume::attach(const BlockPattern& pattern) {
  for (Edge& e : edges_)
    e.block = {pattern.find(e.point[0], e.point[1]), pattern.find(e.point[1], e.point[0])};
}

void ClosedVolume::add_hessian(double a, const Vector& x, double b, const Vector& y,
                               BlockMatrix& hessian) const {
  for (const Edge& e : edges_) {
    // The triangle (p0, p1, c) has -[c]x / 6 in the block (p0, p1), the one that winds the other way +[d]x
    // / 6.
    const Vec3 v = (a * (point(x, e.across[1]) - point(x, e.across[0])) +
                    b * (point(y, e.across[1]) - point(y, e.across[0]))) /
                   6.0;
    double* forth = &hessian.values[9 * std::size_t(e.block[0])];
    double* back = &hessian.values[9 * std::size_t(e.block[1])];
    forth[1] -= v[2], forth[2] += v[1], forth[3] += v[2], forth[5] -= v[0], forth[6] -= v[1],
        forth[7] += v[0];
    back[1] += v[2], back[2] -= v[1], back[3] -= v[2], back[5] += v[0], back[6] += v[1], back[7] -= v[0];
  }
}

}  // namespace verve
