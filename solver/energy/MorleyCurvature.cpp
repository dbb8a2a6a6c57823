#include "energy/MorleyCurvature.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>

#include "base/Parallel.h"

namespace verve {
namespace {

using Vec2 = Eigen::Vector2d;
using Triangles = std::vector<std::array<int, 3>>;

/// Triangle and corner on the other side of each side; a side has the number of the corner across.
struct Neighbour {
  int triangle = -1, corner = 0;
};

std::vector<std::array<Neighbour, 3>> neighbours_of(const Triangles& triangles) {
  struct Side {
    std::array<int, 2> ends;
    int triangle, corner;
  };
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (int t = 0; t < int(triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = triangles[t][(k + 1) % 3], b = triangles[t][(k + 2) % 3];
      sides.push_back({{std::min(a, b), std::max(a, b)}, t, k});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.ends != b.ends ? a.ends < b.ends : a.triangle < b.triangle;
  });
  std::vector<std::array<Neighbour, 3>> result(triangles.size());
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].ends == sides[begin].ends) ++end;
    if (end - begin != 2) continue;
    const Side &one = sides[begin], &other = sides[begin + 1];
    result[one.triangle][one.corner] = {other.triangle, other.corner};
    result[other.triangle][other.corner] = {one.triangle, one.corner};
  }
  return result;
}

class SideFit {
 public:
  SideFit(const Vector& rest, const Triangles& triangles, const std::vector<std::array<Neighbour, 3>>& across)
      : rest_(rest), triangles_(triangles), across_(across) {}

  /// The derivative outwards at the middle of side k of triangle t: weights of points.
  void outward(int t, int k) {
    points.clear(), places_.clear(), fit_weight_.clear();
    const int a = corner(t, k + 1), b = corner(t, k + 2), c = corner(t, k);
    const Vec3 along = place(b) - place(a), middle = 0.5 * (place(a) + place(b));
    const double length = along.norm();
    const Vec2 pa(-0.5 * length, 0.0), pb(0.5 * length, 0.0);
    const auto opposite = [&](int p, double side) {
      const Vec3 d = place(p) - middle;
      const double x = d.dot(along) / length;
      return Vec2(x, side * (d - x / length * along).norm());
    };
    const Vec2 pc = opposite(c, 1.0);
    add(a, pa, 1.0), add(b, pb, 1.0), add(c, pc, 1.0);
    add_outer(t, k + 1, b, pb, c, pc, pa), add_outer(t, k + 2, a, pa, c, pc, pb);
    const Neighbour n = across_[t][k];
    if (n.triangle >= 0) {
      const int d = corner(n.triangle, n.corner);
      const Vec2 pd = opposite(d, -1.0);
      add(d, pd, 1.0);
      for (int j = 1; j < 3; ++j) {  // the sides across its other two corners, which are a and b
        const bool at_a = corner(n.triangle, n.corner + j) == a;
        add_outer(n.triangle, n.corner + j, at_a ? b : a, at_a ? pb : pa, d, pd, at_a ? pa : pb);
      }
    }
    fit(length);
  }

  std::vector<int> points;
  std::vector<double> weights;

 private:
  using Row = Eigen::Matrix<double, 6, 1>;

  int corner(int t, int k) const { return triangles_[t][k % 3]; }
  Vec3 place(int i) const { return point(rest_, i); }
  void add(int p, const Vec2& at, double weight) {
    points.push_back(p);
    places_.push_back(at);
    fit_weight_.push_back(weight);
  }
  /// The point beyond side k of triangle t, which joins p and q; r is the triangle's third corner.
  void add_outer(int t, int k, int p, const Vec2& pp, int q, const Vec2& pq, const Vec2& pr) {
    const Neighbour n = across_[t][k % 3];
    if (n.triangle < 0) return;
    const int e = corner(n.triangle, n.corner);
    const Vec3 side = place(q) - place(p), d = place(e) - place(p);
    const double s = d.dot(side) / side.squaredNorm();
    const Vec2 flat = pq - pp;
    Vec2 out(flat[1], -flat[0]);
    if (out.dot(pr - pp) > 0.0) out = -out;
    add(e, pp + s * flat + (d - s * side).norm() / flat.norm() * out, 0.3);
  }
  /// The quadratic in (x, y)/length that fits best; the ridge keeps it unique at borders and harms no linear
  /// function.
  void fit(double length) {
    Eigen::Matrix<double, 6, 6> normal = Eigen::Matrix<double, 6, 6>::Zero();
    normal.diagonal() << 0, 0, 0, 1e-6, 1e-6, 2e-6;
    rows_.clear();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double x = places_[i][0] / length, y = places_[i][1] / length;
      Row row;
      row << 1.0, x, y, 0.5 * x * x, 0.5 * y * y, x * y;
      normal += fit_weight_[i] * row * row.transpose();
      rows_.push_back(row);
    }
    const Row slope = normal.ldlt().solve(Row::Unit(2));
    weights.clear();
    for (std::size_t i = 0; i < points.size(); ++i)
      weights.push_back(-fit_weight_[i] * slope.dot(rows_[i]) / length);
  }

  const Vector& rest_;
  const Triangles& triangles_;
  const std::vector<std::array<Neighbour, 3>>& across_;
  std::vector<Vec2> places_;
  std::vector<double> fit_weight_;
  std::vector<Row, Eigen::aligned_allocator<Row>> rows_;
};

CurvatureStencil stencil_of(int t, const Vector& rest, const Triangles& triangles, const Vec3& warp,
                            SideFit& fit) {
  CurvatureStencil s = {};
  const auto place = [&](int i) -> Vec3 { return point(rest, i); };
  const std::array<int, 3>& corners = triangles[t];
  const SheetFrame frame = sheet_frame({place(corners[0]), place(corners[1]), place(corners[2])}, warp);
  s.area = frame.area;
  for (int a = 0; a < 3; ++a)
    for (int k = 0; k < 2; ++k) s.gradient[a][k] = frame.gradient[a][k];
  int count = 3;
  s.point.fill(corners[0]);
  std::copy(corners.begin(), corners.end(), s.point.begin());
  const auto number_of = [&](int p) {
    int i = 0;
    while (i < count && s.point[i] != p) ++i;
    if (i == count) s.point[count++] = p;
    return i;
  };
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const Vec3 side = place(corners[b]) - place(corners[a]);
    const double length = side.norm();
    const Vec2 along = Vec2(side.dot(frame.warp), side.dot(frame.weft)) / length, out(along[1], -along[0]);
    const auto add = [&](int i, const Vec2& g) {
      const double by = length / frame.area;
      s.w[i][0] += by * out[0] * g[0];
      s.w[i][1] += by * out[1] * g[1];
      s.w[i][2] += by * (out[0] * g[1] + out[1] * g[0]);
    };
    add(b, along / length);
    add(a, -along / length);
    fit.outward(t, k);
    for (std::size_t i = 0; i < fit.points.size(); ++i) add(number_of(fit.points[i]), fit.weights[i] * out);
  }
  // Translations have none, to the last bit.
  for (int c = 0; c < 3; ++c) {
    s.w[0][c] = 0.0;
    for (int i = 1; i < count; ++i) s.w[0][c] -= s.w[i][c];
  }
  // What lies in the triangle's plane at rest belongs to the unfolded chart, not to the curvature.
  const Vec3 normal = frame.warp.cross(frame.weft);
  for (int c = 0; c < 3; ++c) {
    Vec3 h = Vec3::Zero();
    for (int i = 0; i < count; ++i) h += s.w[i][c] * (place(s.point[i]) - place(corners[0]));
    s.rest[c] = normal.dot(h);
    for (int a = 0; a < 3; ++a)
      s.w[a][c] -= h.dot(frame.warp) * frame.gradient[a][0] + h.dot(frame.weft) * frame.gradient[a][1];
  }
  const double bend = std::abs(s.rest[0]) + std::abs(s.rest[1]) + std::abs(s.rest[2]);
  if (bend * std::sqrt(s.area) < 1e-7) std::fill(s.rest, s.rest + 3, 0.0);  // flat but for rounding
  return s;
}

}  // namespace

std::vector<CurvatureStencil> curvature_stencils(const Vector& rest, const Triangles& triangles,
                                                 const std::vector<SheetMaterial>& material) {
  const auto across = neighbours_of(triangles);
  std::vector<CurvatureStencil> result(triangles.size());
  parallel_pieces(int(triangles.size()), 256, [&](int begin, int end) {
    SideFit fit(rest, triangles, across);
    for (int t = begin; t < end; ++t) result[t] = stencil_of(t, rest, triangles, material[t].warp, fit);
  });
  return result;
}

}  // namespace verve
