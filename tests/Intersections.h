// What of surfaces intersects: an edge that goes through a triangle, at one time or on straight ways between
// two. On its own, with nothing of the solver's contact: signed volumes, and the roots of the cubic that
// tells when four points lie in a plane.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "base/Types.h"

namespace verve::test {

/// Triangles and lines of bodies on common points.
struct Surfaces {
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> edges;  ///< of the triangles, each once, and lines of ropes

  void add_triangles(const std::vector<std::array<int, 3>>& more, int first) {
    std::set<std::array<int, 2>> known(edges.begin(), edges.end());
    for (auto t : more) {
      for (int& p : t) p += first;
      triangles.push_back(t);
      for (int k = 0; k < 3; ++k)
        known.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    }
    edges.assign(known.begin(), known.end());
  }
  void add_lines(const std::vector<std::array<int, 2>>& more, int first) {
    for (const auto& e : more) edges.push_back({std::min(e[0], e[1]) + first, std::max(e[0], e[1]) + first});
  }
};

inline double volume_of(const Vec3& o, const Vec3& a, const Vec3& b, const Vec3& c) {
  return (a - o).cross(b - o).dot(c - o);
}

inline bool edge_crosses_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  // Of what lies in one plane rounding would say anything.
  const double none = 1e-10 * (q - p).norm() * (b - a).norm() * (c - a).norm();
  const double from = volume_of(a, b, c, p), to = volume_of(a, b, c, q);
  if (!((from > none && to < -none) || (from < -none && to > none))) return false;
  const double ab = volume_of(p, q, a, b), bc = volume_of(p, q, b, c), ca = volume_of(p, q, c, a);
  return (ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0);
}

/// Boxes in a grid as wide as the largest of them.
class BoxGrid {
 public:
  explicit BoxGrid(const std::vector<std::array<Vec3, 2>>& boxes) : boxes_(boxes) {
    double sum = 0.0;
    for (const auto& b : boxes) sum += (b[1] - b[0]).maxCoeff();
    cell_ = boxes.empty() ? 1.0 : std::max(1e-9, 1.5 * sum / double(boxes.size()));
    for (int i = 0; i < int(boxes.size()); ++i)
      for_cells(boxes[std::size_t(i)], [&](const Key& k) { cells_[k].push_back(i); });
  }
  template <class Visit>
  void near(const std::array<Vec3, 2>& box, const Visit& visit) const {
    std::set<int> seen;
    for_cells(box, [&](const Key& k) {
      const auto cell = cells_.find(k);
      if (cell == cells_.end()) return;
      for (int i : cell->second) {
        const auto& b = boxes_[std::size_t(i)];
        const bool apart = (b[0].array() > box[1].array()).any() || (b[1].array() < box[0].array()).any();
        if (!apart && seen.insert(i).second) visit(i);
      }
    });
  }

 private:
  using Key = std::array<int, 3>;
  template <class Visit>
  void for_cells(const std::array<Vec3, 2>& box, const Visit& visit) const {
    Key low, high;
    for (int k = 0; k < 3; ++k) {
      low[std::size_t(k)] = int(std::floor(box[0][k] / cell_));
      high[std::size_t(k)] = int(std::floor(box[1][k] / cell_));
    }
    for (int i = low[0]; i <= high[0]; ++i)
      for (int j = low[1]; j <= high[1]; ++j)
        for (int k = low[2]; k <= high[2]; ++k) visit(Key{i, j, k});
  }
  const std::vector<std::array<Vec3, 2>>& boxes_;
  double cell_;
  std::map<Key, std::vector<int>> cells_;
};

template <std::size_t N>
std::array<Vec3, 2> swept_box(const std::array<int, N>& points, const Vector& from, const Vector& to) {
  std::array<Vec3, 2> box{point(from, points[0]), point(from, points[0])};
  for (int p : points)
    for (const Vector* x : {&from, &to}) {
      box[0] = box[0].cwiseMin(point(*x, p));
      box[1] = box[1].cwiseMax(point(*x, p));
    }
  return box;
}

/// How many edges go through triangles that they share no point with.
inline int intersections(const Surfaces& surfaces, const Vector& x) {
  std::vector<std::array<Vec3, 2>> boxes;
  for (const auto& t : surfaces.triangles) boxes.push_back(swept_box(t, x, x));
  const BoxGrid grid(boxes);
  int count = 0;
  for (const auto& e : surfaces.edges)
    grid.near(swept_box(e, x, x), [&](int i) {
      const auto& t = surfaces.triangles[std::size_t(i)];
      for (int p : e)
        if (std::find(t.begin(), t.end(), p) != t.end()) return;
      count += edge_crosses_triangle(point(x, e[0]), point(x, e[1]), point(x, t[0]), point(x, t[1]),
                                     point(x, t[2]));
    });
  return count;
}

/// The roots in (0, 1) of the volume of four points that go straight, where its sign changes.
inline std::vector<double> coplanar_times(const std::array<Vec3, 4>& a, const std::array<Vec3, 4>& b) {
  const auto at = [&](double t) {
    std::array<Vec3, 4> x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = (1 - t) * a[k] + t * b[k];
    return volume_of(x[0], x[1], x[2], x[3]);
  };
  // The cubic through four places, its derivative's roots, and a bisection in each part that is monotonous.
  const double f0 = at(0), f1 = at(1.0 / 3), f2 = at(2.0 / 3), f3 = at(1);
  const double c = (-11 * f0 + 18 * f1 - 9 * f2 + 2 * f3) / 2, d = (18 * f0 - 45 * f1 + 36 * f2 - 9 * f3) / 2,
               e = (-9 * f0 + 27 * f1 - 27 * f2 + 9 * f3) / 2;
  std::vector<double> ends = {0.0};
  const double disc = 4 * d * d - 12 * e * c;
  if (disc > 0) {
    const double q = -0.5 * (2 * d + std::copysign(std::sqrt(disc), d));
    std::vector<double> turns;
    if (e != 0) turns.push_back(q / (3 * e));
    if (q != 0) turns.push_back(c / q);
    std::sort(turns.begin(), turns.end());
    for (double t : turns)
      if (t > 0 && t < 1) ends.push_back(t);
  }
  ends.push_back(1.0);
  std::vector<double> roots;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    double low = ends[k], high = ends[k + 1];
    const double fl = at(low), fh = at(high);
    if (fl == 0.0 || fl * fh >= 0.0) continue;
    for (int i = 0; i < 60; ++i) {
      const double m = 0.5 * (low + high);
      (at(m) * fl > 0 ? low : high) = m;
    }
    roots.push_back(0.5 * (low + high));
  }
  return roots;
}

/// How many points go through triangles, and edges through edges, on straight ways, and are on the other side
/// in the end.
inline int swept_crossings(const Surfaces& surfaces, const Vector& from, const Vector& to) {
  const auto places = [&](const std::array<int, 4>& p, const Vector& x) {
    return std::array<Vec3, 4>{point(x, p[0]), point(x, p[1]), point(x, p[2]), point(x, p[3])};
  };
  const auto crossings = [&](const std::array<int, 4>& p, bool edges) {
    const auto a = places(p, from), b = places(p, to);
    int count = 0;
    for (double t : coplanar_times(a, b)) {
      std::array<Vec3, 4> x;
      for (std::size_t k = 0; k < 4; ++k) x[k] = (1 - t) * a[k] + t * b[k];
      if (edges) {
        const Vec3 u = x[1] - x[0], v = x[3] - x[2], r = x[2] - x[0], n = u.cross(v);
        const double nn = n.squaredNorm();
        if (!(nn > 0)) continue;
        const double s = r.cross(v).dot(n) / nn, w = r.cross(u).dot(n) / nn;
        count += s > 0 && s < 1 && w > 0 && w < 1;
      } else {
        const Vec3 u = x[2] - x[1], v = x[3] - x[1], r = x[0] - x[1], n = u.cross(v);
        const double nn = n.squaredNorm();
        if (!(nn > 0)) continue;
        const double s = r.cross(v).dot(n) / nn, w = u.cross(r).dot(n) / nn;
        count += s > 0 && w > 0 && s + w < 1;
      }
    }
    return count;
  };
  int total = 0;
  std::vector<std::array<Vec3, 2>> boxes;
  for (const auto& t : surfaces.triangles) boxes.push_back(swept_box(t, from, to));
  const BoxGrid triangles(boxes);
  std::set<int> points;
  for (const auto& e : surfaces.edges) points.insert(e.begin(), e.end());
  for (int p : points)
    triangles.near(swept_box(std::array<int, 1>{p}, from, to), [&](int i) {
      const auto& t = surfaces.triangles[std::size_t(i)];
      if (std::find(t.begin(), t.end(), p) == t.end()) total += crossings({p, t[0], t[1], t[2]}, false) % 2;
    });
  boxes.clear();
  for (const auto& e : surfaces.edges) boxes.push_back(swept_box(e, from, to));
  const BoxGrid edges(boxes);
  for (int n = 0; n < int(surfaces.edges.size()); ++n) {
    const auto& e = surfaces.edges[std::size_t(n)];
    edges.near(boxes[std::size_t(n)], [&](int i) {
      const auto& f = surfaces.edges[std::size_t(i)];
      if (i <= n || e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) return;
      total += crossings({e[0], e[1], f[0], f[1]}, true) % 2;
    });
  }
  return total;
}

}  // namespace verve::test
