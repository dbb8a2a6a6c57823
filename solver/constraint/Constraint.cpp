#include "constraint/Constraint.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "base/Error.h"

namespace verve {
namespace {

std::string name(int number) {
  return "constraint " + std::to_string(number);
}

void check_points(const Constraint& c, int number, int points) {
  using Kind = Constraint::Kind;
  const std::size_t least = c.kind == Kind::distance || c.kind == Kind::weld || c.kind == Kind::rigid ? 2 : 1;
  if (c.points.size() < least)
    throw Error(name(number) + ": needs at least " + std::to_string(least) + " points but names " +
                std::to_string(c.points.size()));
  for (int p : c.points)
    if (p < 0 || p >= points)
      throw Error(name(number) + ": there is no point " + std::to_string(p) + "; points run from 0 to " +
                  std::to_string(points - 1));
  std::vector<int> sorted = c.points;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw Error(name(number) + ": names point " + std::to_string(*twice) + " twice; name each point once");
}

Vec3 unit(const Vec3& direction, int number) {
  const double length = direction.norm();
  if (!(length > 0.0) || !std::isfinite(length))
    throw Error(name(number) + ": its direction has no length; give a vector other than zero");
  return direction / length;
}

}  // namespace

ConstraintSet::ConstraintSet(const std::vector<Constraint>& constraints, const Vector& x)
    : constraints_(constraints) {
  using Kind = Constraint::Kind;
  for (int k = 0; k < int(constraints.size()); ++k) {
    const Constraint& c = constraints[k];
    check_points(c, k, int(x.size() / 3));
    const bool has_length = c.kind == Kind::distance || c.kind == Kind::distance_place;
    if (has_length && !(c.length > 0.0 && std::isfinite(c.length)))
      throw Error(name(k) + ": its length must be a positive number; to hold points together use a weld");
    if (c.kind == Kind::distance) {
      add_distance(k, c.points[0], c.points[1], c.length);
    } else if (c.kind == Kind::distance_place) {
      add_distance_place(k, c.points[0], c.place, c.length);
    } else if (c.kind == Kind::plane) {
      add_plane(k, c.points[0], c.place, unit(c.direction, k));
    } else if (c.kind == Kind::line) {
      const Vec3 along = unit(c.direction, k), across = along.unitOrthogonal();
      add_plane(k, c.points[0], c.place, across);
      add_plane(k, c.points[0], c.place, along.cross(across));
    } else if (c.kind == Kind::weld) {
      const std::vector<int> others(c.points.begin() + 1, c.points.end());
      std::vector<double> weights = c.weights;
      if (weights.empty() && others.size() == 1) weights = {1.0};
      const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
      if (weights.size() != others.size() || !(std::abs(sum - 1.0) < 1e-9))
        throw Error(name(k) + ": needs one weight for each point but the first, adding up to 1");
      add_weld(k, c.points[0], others, weights);
    } else {
      add_rigid(k, c.points, x);
    }
  }
  Vector gap;
  evaluate(x, gap);
  double size = 0.0;
  for (int r = 0; r < rows(); ++r) {
    const Constraint& c = constraints_[constraint_of(r)];
    size = c.length;
    for (int p : c.points) size = std::max(size, (point(x, p) - point(x, c.points[0])).norm());
    if (std::abs(gap[r]) <= 1e-6 * std::max(size, 1e-3)) continue;
    std::ostringstream text;
    text << name(constraint_of(r)) << ": does not hold at the start, where it is off by " << std::abs(gap[r])
         << " m; move its points, change its values, or take out what contradicts it";
    throw Error(text.str());
  }
}

void ConstraintSet::add_distance(int constraint, int i, int j, double length) {
  // (|p|^2 - l^2)/(2 l): the gradient has length 1 where it holds.
  Row row{constraint, -0.5 * length, {}, {}};
  for (int d = 0; d < 3; ++d) {
    const Difference p{3 * i + d, 3 * j + d};
    row.products.push_back({p, p, 0.5 / length});
  }
  rows_.push_back(row);
}

void ConstraintSet::add_distance_place(int constraint, int i, const Vec3& place, double length) {
  Row row{constraint, -0.5 * length, {}, {}};
  for (int d = 0; d < 3; ++d) {
    const Difference p{3 * i + d, -1, place[d]};
    row.products.push_back({p, p, 0.5 / length});
  }
  rows_.push_back(row);
}

void ConstraintSet::add_plane(int constraint, int i, const Vec3& place, const Vec3& normal) {
  Row row{constraint, 0.0, {}, {}};
  for (int d = 0; d < 3; ++d)
    if (normal[d] != 0.0) row.linear.push_back({{3 * i + d, -1, place[d]}, normal[d]});
  rows_.push_back(row);
}

void ConstraintSet::add_weld(int constraint, int i, const std::vector<int>& points,
                             const std::vector<double>& weights) {
  for (int d = 0; d < 3; ++d) {
    Row row{constraint, 0.0, {}, {}};
    for (std::size_t k = 0; k < points.size(); ++k)
      row.linear.push_back({{3 * i + d, 3 * points[k] + d}, weights[k]});
    rows_.push_back(row);
  }
}

void ConstraintSet::add_rigid(int constraint, const std::vector<int>& points, const Vector& x) {
  // A triangle a, b, c of fixed sides carries the others: p - a = s (b - a) + t (c - a) + u (b - a) x (c -
  // a). That holds flat clusters as firmly as thick ones, without a row too many.
  const auto at = [&](int p) { return Vec3(point(x, p)); };
  const int a = points[0];
  const int b = *std::max_element(points.begin(), points.end(), [&](int p, int q) {
    return (at(p) - at(a)).squaredNorm() < (at(q) - at(a)).squaredNorm();
  });
  const Vec3 e = at(b) - at(a);
  const int c = *std::max_element(points.begin(), points.end(), [&](int p, int q) {
    return (at(p) - at(a)).cross(e).squaredNorm() < (at(q) - at(a)).cross(e).squaredNorm();
  });
  if (!(e.norm() > 0.0)) throw Error(name(constraint) + ": its points all lie in one place; use welds");
  const Vec3 f = at(c) - at(a), n = e.cross(f);
  const bool straight = n.norm() <= 1e-6 * e.squaredNorm();
  add_distance(constraint, a, b, e.norm());
  if (!straight) {
    add_distance(constraint, a, c, f.norm());
    add_distance(constraint, b, c, (f - e).norm());
  }
  for (int p : points) {
    if (p == a || p == b || (p == c && !straight)) continue;
    const Vec3 r = at(p) - at(a);
    Vec3 s(r.dot(e) / e.squaredNorm(), 0.0, 0.0);
    if (!straight) {
      Mat3 frame;
      frame << e, f, n;
      s = frame.partialPivLu().solve(r);
    }
    for (int d = 0; d < 3; ++d) {
      const int d1 = (d + 1) % 3, d2 = (d + 2) % 3;
      Row row{constraint, 0.0, {{{3 * p + d, 3 * a + d}, 1.0}, {{3 * b + d, 3 * a + d}, -s[0]}}, {}};
      if (!straight) {
        row.linear.push_back({{3 * c + d, 3 * a + d}, -s[1]});
        row.products.push_back({{3 * b + d1, 3 * a + d1}, {3 * c + d2, 3 * a + d2}, -s[2]});
        row.products.push_back({{3 * b + d2, 3 * a + d2}, {3 * c + d1, 3 * a + d1}, s[2]});
      }
      rows_.push_back(row);
    }
  }
}

ConstraintSet::Entry ConstraintSet::fixed(int r) const {
  const Row& row = rows_[r];
  const bool alone = row.linear.size() == 1 && row.products.empty() && row.linear[0].a.j < 0;
  return alone ? Entry{row.linear[0].a.i, row.linear[0].factor} : Entry{-1, 0.0};
}

void ConstraintSet::evaluate(const Vector& x, Vector& c) const {
  c.resize(rows());
  for (int r = 0; r < rows(); ++r) {
    double sum = rows_[r].constant;
    for (const Linear& t : rows_[r].linear) sum += t.factor * t.a.at(x);
    for (const Product& t : rows_[r].products) sum += t.factor * t.a.at(x) * t.b.at(x);
    c[r] = sum;
  }
}

void ConstraintSet::jacobian(const Vector& x, Jacobian& out) const {
  out.start.assign(1, 0);
  out.entries.clear();
  const auto add = [&](const Difference& a, double value) {
    out.entries.push_back({a.i, value});
    if (a.j >= 0) out.entries.push_back({a.j, -value});
  };
  for (const Row& row : rows_) {
    for (const Linear& t : row.linear) add(t.a, t.factor);
    for (const Product& t : row.products) {
      add(t.a, t.factor * t.b.at(x));
      add(t.b, t.factor * t.a.at(x));
    }
    out.start.push_back(int(out.entries.size()));
  }
}

void ConstraintSet::check_held(const std::vector<int>& held) const {
  if (held.empty()) return;
  for (int k = 0; k < int(constraints_.size()); ++k) {
    const std::vector<int>& points = constraints_[k].points;
    if (std::all_of(points.begin(), points.end(),
                    [&](int p) { return std::binary_search(held.begin(), held.end(), p); }))
      throw Error(name(k) + ": all its points are pinned (point " + std::to_string(points[0]) +
                  " among them), so it has nothing to move; take out the constraint or a pin");
  }
}

}  // namespace verve
