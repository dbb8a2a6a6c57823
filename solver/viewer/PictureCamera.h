// Where pictures are taken from.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>

#include "base/Types.h"

namespace verve {

/// Looks from the front, a little from the right and above.
struct PictureAxes {
  Vec3 forward = Vec3(-0.45, -0.3, -1.0).normalized();
  Vec3 right = forward.cross(Vec3::UnitY()).normalized();
  Vec3 up = right.cross(forward);

  Vec3 seen(const Vec3& p) const { return {right.dot(p), up.dot(p), forward.dot(p)}; }
  Vec3 place(const Vec3& s) const { return s[0] * right + s[1] * up + s[2] * forward; }
};

/// Stands where the whole box, given along the axes, is in view.
class PictureCamera : PictureAxes {
 public:
  PictureCamera(const Eigen::AlignedBox3d& box, int width, int height)
      : middle_(place(box.center())), width_(width), height_(height) {
    const double half_height = 0.25;  // tangent of half the view's angle
    const double half_width = half_height * width / height;
    constexpr double filled = 0.86;
    const Vec3 half = 0.5 * box.sizes();
    distance_ = std::max(1e-9, std::max(half[0] / half_width, half[1] / half_height) / filled + half[2]);
    scale_ = 0.5 * height / half_height;
  }
  /// x and y in pixels, and the depth.
  Vec3 project(const Vec3& p) const {
    const Vec3 d = p - middle_;
    const double depth = std::max(1e-6, distance_ + forward.dot(d));
    return {0.5 * width_ + scale_ * right.dot(d) / depth, 0.5 * height_ - scale_ * up.dot(d) / depth, depth};
  }
  /// What a pixel shows at a depth.
  Vec3 place_at(int x, int y, double depth) const { return eye() + depth * ray(x, y); }
  /// The depth at which the ray through a pixel meets a plane that it comes to from above; infinite where it
  /// does not.
  double plane_depth(int x, int y, const Vec3& normal, double offset) const {
    const double above = normal.dot(eye()) - offset, down = -normal.dot(ray(x, y));
    return down > 0.0 && above > 0.0 ? above / down : std::numeric_limits<double>::infinity();
  }
  const Vec3& middle() const { return middle_; }
  Vec3 eye() const { return middle_ - distance_ * forward; }
  /// The direction towards the main light, above the camera's right shoulder.
  Vec3 key_light() const { return (0.5 * right + Vec3::UnitY() - 0.6 * forward).normalized(); }

 private:
  /// The way along which the depth grows by one.
  Vec3 ray(int x, int y) const {
    return forward + (x + 0.5 - 0.5 * width_) / scale_ * right - (y + 0.5 - 0.5 * height_) / scale_ * up;
  }

  Vec3 middle_;
  double width_, height_, distance_, scale_;
};

}  // namespace verve
