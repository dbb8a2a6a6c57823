// Pictures without a GPU or a display.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/Geometry.h"
#include "viewer/ColliderSurface.h"

namespace verve {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< row by row from the top
};

/// How far points reach to the camera's right, up and away from it: what a picture frames. Frames drawn with
/// one extent share one view.
class PictureExtent {
 public:
  void include(const Geometry& geometry);
  bool empty() const { return box_.isEmpty(); }
  const Eigen::AlignedBox3d& box() const { return box_; }

 private:
  Eigen::AlignedBox3d box_;
};

/// Draws the outside of tets, the polygons and the poly lines of `geometry`, each body in a colour of its
/// own, and the colliders, under a sky with a sun. Surfaces are smooth but where `rest`, the same points
/// before they moved, has creases; other geometry than that tells by its own shape.
Picture draw_picture(const Geometry& geometry, const Geometry& rest,
                     const std::vector<ColliderSurface>& colliders, const PictureExtent& extent, int width,
                     int height);

/// Side by side; all of the same height.
Picture joined(const std::vector<Picture>& pictures);

}  // namespace verve
