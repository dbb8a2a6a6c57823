// What the eye sees of triangles and planes, sample by sample, and the picture that light makes of it.
#pragma once

#include <limits>

#include "viewer/Picture.h"
#include "viewer/PictureCamera.h"
#include "viewer/PictureLights.h"

namespace verve {

/// A corner of a triangle, with the normal of the surface that it stands for.
struct PictureCorner {
  Vec3 at, normal;
};

/// Two by two samples make a pixel.
class PictureCanvas {
 public:
  PictureCanvas(const Eigen::AlignedBox3d& extent, int width, int height);

  /// The part of a plane that is seen from above; it fades with the distance.
  void draw_plane(const Vec3& normal, double offset, const Eigen::Vector3f& paint);
  void draw(const std::array<PictureCorner, 3>& triangle, const Eigen::Vector3f& paint);

  const PictureCamera& camera() const { return camera_; }
  Picture lit(const PictureLights& lights) const;

 private:
  struct Sample {
    float depth = std::numeric_limits<float>::infinity();  // there only the sky is seen
    Eigen::Vector3f normal = Eigen::Vector3f::Zero(), paint = Eigen::Vector3f::Zero();
    float mist = 0.0f;  // the share of the sky in what is seen
  };

  PictureCamera camera_;
  double size_;  // of the extent
  int w_, h_;    // in samples
  std::vector<Sample> samples_;
};

}  // namespace verve
