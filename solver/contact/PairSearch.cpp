#include "contact/PairSearch.h"

#include <algorithm>

namespace verve {
namespace {

using Box = Eigen::AlignedBox3d;

template <class Part>
Box box_of(const Part& part, const std::vector<Box>& boxes) {
  Box box = boxes[std::size_t(part.point[0])];
  for (std::size_t k = 1; k < part.point.size(); ++k) box.extend(boxes[std::size_t(part.point[k])]);
  return box;
}

template <class Part>
std::vector<Box> boxes_at(const std::vector<Part>& parts, const std::vector<Vec3>& places) {
  std::vector<Box> out;
  for (const Part& part : parts) {
    Box box;
    for (int p : part.point) box.extend(places[std::size_t(p)]);
    out.push_back(box);
  }
  return out;
}

template <class A, class B>
bool share_point(const A& a, const B& b) {
  for (int p : a)
    for (int q : b)
      if (p == q) return true;
  return false;
}

/// Whether the line from p to q crosses the triangle. In one plane they do not, whatever rounding says.
bool crosses(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto volume = [](const Vec3& o, const Vec3& u, const Vec3& v, const Vec3& w) {
    return (u - o).cross(v - o).dot(w - o);
  };
  const double size = (q - p).norm() * (b - a).norm() * (c - a).norm(), none = 1e-10 * size;
  const double from = volume(a, b, c, p), to = volume(a, b, c, q);
  if (!((from > none && to < -none) || (from < -none && to > none))) return false;
  const double ab = volume(p, q, a, b), bc = volume(p, q, b, c), ca = volume(p, q, c, a);
  return (ab > 0.0 && bc > 0.0 && ca > 0.0) || (ab < 0.0 && bc < 0.0 && ca < 0.0);
}

}  // namespace

PairSearch::PairSearch(PairParts bodies, PairParts colliders, const std::vector<Vec3>& rest)
    : bodies_(std::move(bodies)),
      colliders_(std::move(colliders)),
      edges_(boxes_at(bodies_.edges, rest)),
      triangles_(boxes_at(bodies_.triangles, rest)) {}

void PairSearch::find(const std::vector<Box>& boxes, double reach, FunctionRef<bool(const PairFound&)> meet,
                      std::vector<PairFound>& out) {
  out.clear();
  edges_.refit(
      [&](int i) { return box_of(bodies_.edges[std::size_t(edges_.items[std::size_t(i)])], boxes); });
  triangles_.refit(
      [&](int i) { return box_of(bodies_.triangles[std::size_t(triangles_.items[std::size_t(i)])], boxes); });
  const Vec3 wide = Vec3::Constant(reach);
  constexpr int grain = 64;
  const auto search = [&](const auto& parts, int offset, bool own, const BoxTree& tree, const auto& others,
                          PairKind kind) {
    const int count = int(parts.size());
    pieces_.resize(std::size_t((count + grain - 1) / grain));
    parallel_pieces(count, grain, [&](int begin, int end) {
      std::vector<PairFound>& found = pieces_[std::size_t(begin / grain)];
      found.clear();
      for (int n = begin; n < end; ++n) {
        const auto& part = parts[std::size_t(n)];
        Box box = box_of(part, boxes);
        box = Box(Vec3(box.min() - wide), Vec3(box.max() + wide));
        tree.overlapping(box, [&](int first, int items) {
          for (int k = first; k < first + items; ++k) {
            const int other = tree.items[std::size_t(k)];
            const auto& that = others[std::size_t(other)];
            if (own && kind == PairKind::edge_edge && other <= n) continue;
            if (own && share_point(part.point, that.point)) continue;
            if (!box.intersects(box_of(that, boxes))) continue;
            PairFound f;
            const int number = kind == PairKind::edge_edge ? n + offset : part.point[0];
            f.key = {kind, -1, -1, number, other};
            std::copy(part.point.begin(), part.point.end(), f.point.begin());
            std::copy(that.point.begin(), that.point.end(),
                      f.point.begin() + std::ptrdiff_t(part.point.size()));
            f.first_owner = part.owner, f.second_owner = that.owner;
            if (meet(f)) found.push_back(f);
          }
        });
      }
    });
    for (const auto& found : pieces_) out.insert(out.end(), found.begin(), found.end());
  };
  search(bodies_.points, 0, true, triangles_, bodies_.triangles, PairKind::point_triangle);
  search(bodies_.edges, 0, true, edges_, bodies_.edges, PairKind::edge_edge);
  search(colliders_.points, 0, false, triangles_, bodies_.triangles, PairKind::point_triangle);
  search(colliders_.edges, int(bodies_.edges.size()), false, edges_, bodies_.edges, PairKind::edge_edge);
  std::sort(out.begin(), out.end(), [](const PairFound& a, const PairFound& b) { return a.key < b.key; });
}

void PairSearch::for_each_crossing(
    const std::vector<Vec3>& places,
    FunctionRef<void(const std::array<int, 2>&, int, const std::array<int, 3>&, int)> visit) {
  const auto at = [&](int p) -> const Vec3& { return places[std::size_t(p)]; };
  triangles_.refit([&](int i) {
    Box box;
    for (int p : bodies_.triangles[std::size_t(triangles_.items[std::size_t(i)])].point) box.extend(at(p));
    return box;
  });
  for (const auto* edges : {&bodies_.edges, &colliders_.edges})
    for (const auto& e : *edges) {
      Box box(at(e.point[0]));
      box.extend(at(e.point[1]));
      triangles_.overlapping(box, [&](int first, int items) {
        for (int k = first; k < first + items; ++k) {
          const auto& t = bodies_.triangles[std::size_t(triangles_.items[std::size_t(k)])];
          if (share_point(e.point, t.point)) continue;
          if (crosses(at(e.point[0]), at(e.point[1]), at(t.point[0]), at(t.point[1]), at(t.point[2])))
            visit(e.point, e.owner, t.point, t.owner);
        }
      });
    }
}

}  // namespace verve
