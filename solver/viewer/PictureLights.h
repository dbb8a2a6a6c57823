// The light of pictures: a main light and a sky, each of which things keep from each other.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "base/Types.h"

namespace verve {

/// A place to be lit, with its unit normal towards the eye.
struct LitPlace {
  Eigen::Vector3f at, normal;
};

/// Lights far away, spread over the sky and, closely together, about the main light: many hard shadows make
/// soft ones. Each has a map of how far its rays get.
class PictureLights {
 public:
  /// `key`: the direction towards the main light.
  PictureLights(const std::vector<std::array<Vec3, 3>>& triangles, const Vec3& key);

  /// What arrives at each place, where white faces the whole light: 1.
  std::vector<Eigen::Vector3f> arriving(const std::vector<LitPlace>& places) const;

 private:
  struct Light {
    Vec3 direction;  // towards it
    Eigen::Vector3f colour;
  };

  std::vector<std::array<Vec3, 3>> triangles_;
  std::vector<Light> lights_;
};

}  // namespace verve
