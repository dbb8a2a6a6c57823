#include "viewer/SmoothNormals.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace verve {
namespace {

constexpr double pi = 3.14159265358979323846;
const double crease = std::cos(40.0 * pi / 180.0);  // as page/creases.js has it

Vec3 normal_of(const std::array<int, 3>& t, const std::vector<Vec3>& x) {
  return (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).normalized();
}

double angle_at(const std::array<int, 3>& t, int k, const std::vector<Vec3>& x) {
  const Vec3 a = x[t[(k + 1) % 3]] - x[t[k]], b = x[t[(k + 2) % 3]] - x[t[k]];
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// Corners in groups that share a normal.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t of(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) { parent_[of(i)] = of(j); }

 private:
  std::vector<std::size_t> parent_;
};

/// An edge of a triangle from its lower point to its higher one, with the corners there.
struct Side {
  int low, high;
  std::size_t low_corner, high_corner;
  bool operator<(const Side& other) const {
    return std::tie(low, high, low_corner) < std::tie(other.low, other.high, other.low_corner);
  }
};

}  // namespace

std::vector<std::array<Vec3, 3>> smooth_normals(const std::vector<std::array<int, 3>>& triangles,
                                                const std::vector<Vec3>& rest, const std::vector<Vec3>& now) {
  std::vector<Side> sides;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      const int a = triangles[t][k], b = triangles[t][next];
      sides.push_back(a < b ? Side{a, b, 3 * t + k, 3 * t + next} : Side{b, a, 3 * t + next, 3 * t + k});
    }
  std::sort(sides.begin(), sides.end());
  Groups groups(3 * triangles.size());
  for (std::size_t i = 1; i < sides.size(); ++i) {
    const Side &s = sides[i - 1], &t = sides[i];
    if (s.low != t.low || s.high != t.high) continue;
    if (!(normal_of(triangles[s.low_corner / 3], rest).dot(normal_of(triangles[t.low_corner / 3], rest)) >
          crease))
      continue;
    groups.join(s.low_corner, t.low_corner);
    groups.join(s.high_corner, t.high_corner);
  }
  std::vector<Vec3> sum(3 * triangles.size(), Vec3::Zero());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      sum[groups.of(3 * t + std::size_t(k))] += angle_at(triangles[t], k, now) * normal_of(triangles[t], now);
  std::vector<std::array<Vec3, 3>> normals(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) normals[t][k] = sum[groups.of(3 * t + k)].normalized();
  return normals;
}

}  // namespace verve
