// An independent continuous test that nothing passes through anything: it knows the ways of the particles and
// nothing of layers, certificates or boxes.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "contact/Shape.h"

namespace verve::test {

/// The pieces that a particle goes along, straight ones or parabolas of a steady acceleration.
class Way {
 public:
  explicit Way(const Vec3& acceleration = Vec3::Zero()) : acceleration_(acceleration) {}

  void add(double time, const Vec3& x) {
    if (!times_.empty() && times_.back() == time) return;
    const double h = times_.empty() ? 0.0 : time - times_.back(), bent = acceleration_.norm() * h * h;
    // Speeds are at most those of the chord and half of what the acceleration changes.
    length_.push_back(times_.empty() ? 0.0 : length_.back() + (x - places_.back()).norm() + 0.5 * bent);
    sag_ = std::max(sag_, bent / 8.0);
    times_.push_back(time);
    places_.push_back(x);
  }
  Eigen::AlignedBox3d box() const {
    Eigen::AlignedBox3d box;
    for (const Vec3& p : places_) box.extend(p);
    box.min().array() -= sag_;
    box.max().array() += sag_;
    return box;
  }
  const Vec3& acceleration() const { return acceleration_; }

  Vec3 at(double t) const {
    const std::size_t k = piece(t);
    const double after = t - times_[k], before = times_[k + 1] - t;
    return places_[k] + after / (after + before) * (places_[k + 1] - places_[k]) -
           0.5 * after * before * acceleration_;
  }
  /// Bounds how far it is from its place at any other time in [a, b].
  double path(double a, double b) const { return length_at(b) - length_at(a); }
  /// A time within (a, b) at which it may turn; b when there is none.
  double turn(double a, double b) const {
    const auto first = std::upper_bound(times_.begin(), times_.end(), a),
               last = std::lower_bound(first, times_.end(), b);
    return first == last ? b : *(first + (last - first) / 2);
  }

 private:
  std::size_t piece(double t) const {
    const std::size_t k = std::size_t(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
    return std::min(std::max<std::size_t>(k, 1), times_.size() - 1) - 1;
  }
  double length_at(double t) const {
    const std::size_t k = piece(t);
    return length_[k] + (t - times_[k]) / (times_[k + 1] - times_[k]) * (length_[k + 1] - length_[k]);
  }
  Vec3 acceleration_;
  std::vector<double> times_, length_;
  std::vector<Vec3> places_;
  double sag_ = 0.0;  ///< the farthest from a chord, m
};

/// Of a point and a triangle (points 1 to 3), or of the edges 01 and 23: the smallest distance, by trying
/// faces, edges and corners one after the other.
inline double plain_distance(const std::array<Vec3, 4>& x, bool edges) {
  const auto to_segment = [](const Vec3& p, const Vec3& a, const Vec3& b) {
    const double t = std::min(1.0, std::max(0.0, (p - a).dot(b - a) / (b - a).squaredNorm()));
    return (p - a - t * (b - a)).norm();
  };
  double least;
  if (edges) {
    least = std::min({to_segment(x[0], x[2], x[3]), to_segment(x[1], x[2], x[3]),
                      to_segment(x[2], x[0], x[1]), to_segment(x[3], x[0], x[1])});
    const Vec3 n = (x[1] - x[0]).cross(x[3] - x[2]);
    const double nn = n.squaredNorm();
    if (nn > 0.0) {
      const double s = (x[2] - x[0]).cross(x[3] - x[2]).dot(n) / nn,
                   t = (x[2] - x[0]).cross(x[1] - x[0]).dot(n) / nn;
      if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
        least = std::min(least, std::abs((x[2] - x[0]).dot(n)) / std::sqrt(nn));
    }
    return least;
  }
  least =
      std::min({to_segment(x[0], x[1], x[2]), to_segment(x[0], x[2], x[3]), to_segment(x[0], x[3], x[1])});
  const Vec3 n = (x[2] - x[1]).cross(x[3] - x[1]);
  const Vec3 p = x[0] - x[1];
  const double u = (x[2] - x[1]).cross(p).dot(n), v = p.cross(x[3] - x[1]).dot(n),
               w = n.squaredNorm() - u - v;
  if (u >= 0 && v >= 0 && w >= 0) least = std::min(least, std::abs(p.dot(n)) / n.norm());
  return least;
}

/// Whether the four points, going straight from `from` to `to`, touch: wherever they lie in a plane (a cubic
/// equation) their distance is looked at.
inline bool straight_ways_touch(const std::array<Vec3, 4>& from, const std::array<Vec3, 4>& to, bool edges) {
  const auto at = [&](double t) {
    std::array<Vec3, 4> x;
    for (int i = 0; i < 4; ++i) x[i] = from[i] + t * (to[i] - from[i]);
    return x;
  };
  const auto volume = [&](double t) {
    const auto x = at(t);
    return (x[1] - x[0]).dot((x[2] - x[0]).cross(x[3] - x[0]));
  };
  double size = 0.0;
  for (int i = 1; i < 4; ++i) size = std::max(size, (from[i] - from[0]).norm());
  // The cubic from four values, and where it turns.
  const double f0 = volume(0), f1 = volume(1.0 / 3), f2 = volume(2.0 / 3), f3 = volume(1);
  const double c3 = 4.5 * (f3 - 3 * f2 + 3 * f1 - f0), c2 = 4.5 * (2 * f0 - 5 * f1 + 4 * f2 - f3),
               c1 = 0.5 * (-11 * f0 + 18 * f1 - 9 * f2 + 2 * f3);
  std::vector<double> knots = {0.0, 1.0};
  const double inner = c2 * c2 - 3 * c3 * c1;
  if (inner >= 0.0 && c3 != 0.0)
    for (double sign : {-1.0, 1.0}) knots.push_back((-c2 + sign * std::sqrt(inner)) / (3 * c3));
  else if (c3 == 0.0 && c2 != 0.0)
    knots.push_back(-c1 / (2 * c2));
  knots.erase(std::remove_if(knots.begin(), knots.end(), [](double t) { return !(t >= 0 && t <= 1); }),
              knots.end());
  std::sort(knots.begin(), knots.end());
  const auto touches = [&](double t) { return plain_distance(at(t), edges) < 1e-10 * size; };
  for (double t : knots)
    if (touches(t)) return true;
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    double a = knots[k], b = knots[k + 1];
    if ((volume(a) > 0.0) == (volume(b) > 0.0)) continue;
    const bool rising = volume(b) > 0.0;
    for (int i = 0; i < 60; ++i) ((volume(0.5 * (a + b)) > 0.0) == rising ? b : a) = 0.5 * (a + b);
    if (touches(0.5 * (a + b))) return true;
  }
  return false;
}

/// Whether two simplices with corners on these ways ever touch between a and b.
inline bool ways_touch(const std::array<const Way*, 4>& way, bool edges, double a, double b) {
  const double middle = 0.5 * (a + b);
  std::array<Vec3, 4> x;
  double paths[2] = {0.0, 0.0};
  for (int i = 0; i < 4; ++i) {
    x[i] = way[i]->at(middle);
    double& side = paths[i >= (edges ? 2 : 1)];
    side = std::max(side, way[i]->path(a, b));
  }
  if (plain_distance(x, edges) > paths[0] + paths[1]) return false;
  double turn = b;
  for (const Way* w : way) {
    const double t = w->turn(a, b);
    if (std::abs(t - middle) < std::abs(turn - middle) || turn == b) turn = t < b ? t : turn;
  }
  if (turn < b) return ways_touch(way, edges, a, turn) || ways_touch(way, edges, turn, b);
  // As seen from one of them the others go straight but for the differences of accelerations.
  double bent = 0.0;
  for (const Way* w : way) bent = std::max(bent, (w->acceleration() - way[0]->acceleration()).norm());
  if (bent * (b - a) * (b - a) / 8.0 > 1e-12)
    return ways_touch(way, edges, a, middle) || ways_touch(way, edges, middle, b);
  std::array<Vec3, 4> from, to;
  for (int i = 0; i < 4; ++i) from[i] = way[i]->at(a), to[i] = way[i]->at(b);
  return straight_ways_touch(from, to, edges);
}

/// Whether a way ever touches a still solid between a and b.
inline bool way_touches(const Way& way, const Shape& shape, double a, double b) {
  const double gap = shape.distance(way.at(0.5 * (a + b)), 1e300).value;
  if (gap <= 0.0) return true;
  if (gap > way.path(a, b)) return false;
  return way_touches(way, shape, a, 0.5 * (a + b)) || way_touches(way, shape, 0.5 * (a + b), b);
}

}  // namespace verve::test
