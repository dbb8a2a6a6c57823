#include "viewer/PictureLights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/Parallel.h"

namespace verve {
namespace {

/// How near to the light things come, seen along its rays.
class ShadowMap {
 public:
  ShadowMap(const std::vector<std::array<Vec3, 3>>& triangles, const Vec3& direction)
      : towards_(direction), across_(direction.unitOrthogonal()), along_(direction.cross(across_)) {
    Eigen::AlignedBox2d box;
    for (const auto& triangle : triangles)
      for (const Vec3& p : triangle) box.extend(Eigen::Vector2d(across_.dot(p), along_.dot(p)));
    if (box.isEmpty()) return;
    low_ = box.min();
    cell_ = std::max(box.sizes().maxCoeff() / (size - 2), std::numeric_limits<double>::min());
    nearest_.assign(std::size_t(size) * size, -std::numeric_limits<float>::infinity());
    for (const auto& triangle : triangles) draw(triangle);
  }

  bool keeps_from(const LitPlace& place) const {
    if (nearest_.empty()) return false;
    const Vec3 normal = place.normal.cast<double>();
    // What a cell of the map shows is as wrong as a tilted surface is deep across it.
    const Vec3 p = place.at.cast<double>() + 1.5 * cell_ * normal;
    const Eigen::Vector2d cell = (Eigen::Vector2d(across_.dot(p), along_.dot(p)) - low_) / cell_;
    const int x = int(std::floor(cell[0])) + 1, y = int(std::floor(cell[1])) + 1;
    if (x < 0 || y < 0 || x >= size || y >= size) return false;
    return double(nearest_[std::size_t(y) * size + std::size_t(x)]) > towards_.dot(p) + cell_;
  }

 private:
  static constexpr int size = 320;

  Eigen::Vector3d in_map(const Vec3& p) const {
    return {(across_.dot(p) - low_[0]) / cell_ + 1.0, (along_.dot(p) - low_[1]) / cell_ + 1.0,
            towards_.dot(p)};
  }

  void draw(const std::array<Vec3, 3>& triangle) {
    const Eigen::Vector3d a = in_map(triangle[0]), b = in_map(triangle[1]), c = in_map(triangle[2]);
    const double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (!std::isfinite(area)) return;
    const auto range = [&](int k) {
      const auto [least, most] = std::minmax({a[k], b[k], c[k]});
      return std::array<int, 2>{std::clamp(int(least), 0, size - 1), std::clamp(int(most), 0, size - 1)};
    };
    const auto [left, right] = range(0);
    const auto [bottom, top] = range(1);
    for (int y = bottom; y <= top; ++y)
      for (int x = left; x <= right; ++x) {
        const double px = x + 0.5, py = y + 0.5;
        const double u = ((b[0] - px) * (c[1] - py) - (b[1] - py) * (c[0] - px)) / area;
        const double v = ((c[0] - px) * (a[1] - py) - (c[1] - py) * (a[0] - px)) / area;
        const double w = 1.0 - u - v;
        if (!(u >= 0.0 && v >= 0.0 && w >= 0.0)) continue;
        float& nearest = nearest_[std::size_t(y) * size + std::size_t(x)];
        nearest = std::max(nearest, float(u * a[2] + v * b[2] + w * c[2]));
      }
  }

  Vec3 towards_, across_, along_;
  Eigen::Vector2d low_ = Eigen::Vector2d::Zero();
  double cell_ = 1.0;
  std::vector<float> nearest_;
};

}  // namespace

PictureLights::PictureLights(const std::vector<std::array<Vec3, 3>>& triangles, const Vec3& key)
    : triangles_(triangles) {
  constexpr double golden = 2.39996322972865332;  // the angle that spreads points evenly
  constexpr int of_sky = 48, of_key = 12;
  const Eigen::Vector3f sky(0.38f, 0.41f, 0.46f), sun(0.60f, 0.57f, 0.52f);
  for (int i = 0; i < of_sky; ++i) {
    const double height = (i + 0.5) / of_sky, radius = std::sqrt(1.0 - height * height);
    // The mean of Lambert's cosine over the sky is a half.
    lights_.push_back(
        {Vec3(radius * std::cos(golden * i), height, radius * std::sin(golden * i)), 2.0f / of_sky * sky});
  }
  const Vec3 across = key.unitOrthogonal(), along = key.cross(across);
  constexpr double spread = 0.09;
  for (int i = 0; i < of_key; ++i) {
    const double radius = spread * std::sqrt((i + 0.5) / of_key);
    lights_.push_back(
        {(key + radius * (std::cos(golden * i) * across + std::sin(golden * i) * along)).normalized(),
         1.0f / of_key * sun});
  }
}

std::vector<Eigen::Vector3f> PictureLights::arriving(const std::vector<LitPlace>& places) const {
  // What the ground throws back: a little, from below.
  const Eigen::Vector3f thrown_back(0.13f, 0.12f, 0.11f);
  std::vector<Eigen::Vector3f> sum(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) sum[i] = (0.6f - 0.4f * places[i].normal.y()) * thrown_back;
  for (const Light& light : lights_) {
    const ShadowMap map(triangles_, light.direction);
    const Eigen::Vector3f direction = light.direction.cast<float>();
    parallel_pieces(int(places.size()), 4096, [&](int begin, int end) {
      for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i) {
        const float cosine = places[i].normal.dot(direction);
        if (cosine > 0.0f && !map.keeps_from(places[i])) sum[i] += cosine * light.colour;
      }
    });
  }
  return sum;
}

}  // namespace verve
