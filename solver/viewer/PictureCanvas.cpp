#include "viewer/PictureCanvas.h"

#include <cmath>

namespace verve {
namespace {

constexpr int samples_along_a_side = 2;
constexpr float gamma = 2.2f;

/// From the numbers of a picture to amounts of light, and back.
Eigen::Vector3f linear(const Eigen::Vector3f& colour) {
  return colour.array().pow(gamma);
}
Eigen::Vector3f shown(const Eigen::Vector3f& light) {
  return light.array().max(0.0f).min(1.0f).pow(1.0f / gamma);
}

}  // namespace

PictureCanvas::PictureCanvas(const Eigen::AlignedBox3d& extent, int width, int height)
    : camera_(extent, samples_along_a_side * width, samples_along_a_side * height),
      size_(extent.diagonal().norm()),
      w_(samples_along_a_side * width),
      h_(samples_along_a_side * height),
      samples_(std::size_t(w_) * h_) {}

void PictureCanvas::draw_plane(const Vec3& normal, double offset, const Eigen::Vector3f& paint) {
  for (int y = 0; y < h_; ++y)
    for (int x = 0; x < w_; ++x) {
      Sample& sample = samples_[std::size_t(y) * w_ + x];
      const double depth = camera_.plane_depth(x, y, normal, offset);
      if (depth >= sample.depth) continue;
      const double beyond = (camera_.place_at(x, y, depth) - camera_.middle()).norm() / size_;
      sample = {float(depth), normal.cast<float>(), linear(paint),
                1.0f - float(std::exp(-0.12 * beyond * beyond))};
    }
}

void PictureCanvas::draw(const std::array<PictureCorner, 3>& triangle, const Eigen::Vector3f& paint) {
  const Vec3 p = camera_.project(triangle[0].at), q = camera_.project(triangle[1].at),
             r = camera_.project(triangle[2].at);
  const double area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  if (!std::isfinite(area) || area == 0.0) return;
  const Vec3 face = (triangle[1].at - triangle[0].at).cross(triangle[2].at - triangle[0].at);
  // Both sides of a sheet are seen.
  const double side = face.dot(camera_.eye() - triangle[0].at) < 0.0 ? -1.0 : 1.0;
  const Eigen::Vector3f colour = linear(paint);
  const auto range = [&](int k, int most) {
    const auto [low, high] = std::minmax({p[k], q[k], r[k]});
    return std::array<int, 2>{int(std::clamp(std::floor(low), 0.0, double(most))),
                              int(std::clamp(std::ceil(high), 0.0, double(most)))};
  };
  const auto [left, right] = range(0, w_);
  const auto [top, bottom] = range(1, h_);
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) {
      const double px = x + 0.5, py = y + 0.5;
      double u = ((q[0] - px) * (r[1] - py) - (q[1] - py) * (r[0] - px)) / area;
      double v = ((r[0] - px) * (p[1] - py) - (r[1] - py) * (p[0] - px)) / area;
      double w = 1.0 - u - v;
      if (u < 0.0 || v < 0.0 || w < 0.0) continue;
      // In the picture it is the inverse of the depth that is linear.
      u /= p[2], v /= q[2], w /= r[2];
      const double depth = 1.0 / (u + v + w);
      Sample& sample = samples_[std::size_t(y) * w_ + x];
      if (depth >= sample.depth) continue;
      const Vec3 normal = side * (u * triangle[0].normal + v * triangle[1].normal + w * triangle[2].normal);
      sample = {float(depth), normal.normalized().cast<float>(), colour, 0.0f};
    }
}

Picture PictureCanvas::lit(const PictureLights& lights) const {
  std::vector<LitPlace> places;
  std::vector<std::size_t> place_of(samples_.size(), 0);
  for (int y = 0; y < h_; ++y)
    for (int x = 0; x < w_; ++x) {
      const std::size_t i = std::size_t(y) * w_ + x;
      if (!std::isfinite(samples_[i].depth)) continue;
      place_of[i] = places.size();
      places.push_back({camera_.place_at(x, y, double(samples_[i].depth)).cast<float>(), samples_[i].normal});
    }
  const std::vector<Eigen::Vector3f> light = lights.arriving(places);

  constexpr int n = samples_along_a_side;
  Picture result{w_ / n, h_ / n, {}};
  result.rgb.reserve(3 * samples_.size() / (n * n));
  for (int y = 0; y < h_; y += n) {
    const float down = float(y) / float(h_);
    const Eigen::Vector3f sky = Eigen::Vector3f(0.93f, 0.94f, 0.96f) - 0.07f * down * Eigen::Vector3f::Ones();
    for (int x = 0; x < w_; x += n) {
      Eigen::Vector3f sum = Eigen::Vector3f::Zero();
      for (int k = 0; k < n * n; ++k) {
        const std::size_t i = std::size_t(y + k / n) * w_ + std::size_t(x + k % n);
        const Sample& sample = samples_[i];
        if (std::isfinite(sample.depth))
          sum +=
              (1.0f - sample.mist) * shown(sample.paint.cwiseProduct(light[place_of[i]])) + sample.mist * sky;
        else
          sum += sky;
      }
      for (int k = 0; k < 3; ++k)
        result.rgb.push_back(std::uint8_t(std::clamp(255.0f / (n * n) * sum[k] + 0.5f, 0.0f, 255.0f)));
    }
  }
  return result;
}

}  // namespace verve
