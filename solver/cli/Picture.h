// Pictures without a GPU or a display.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/ColliderSurface.h"
#include "geometry/Geometry.h"

namespace verve {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< row by row from the top
};

/// Draws the outside of tets and the polygons of `geometry` and the colliders, lit from above the camera.
/// `bounds` is what the camera frames, so that all frames of a run share one view.
Picture draw_picture(const Geometry& geometry, const std::vector<ColliderSurface>& colliders,
                     const Eigen::AlignedBox3d& bounds, int width, int height);

/// Side by side; all of the same height.
Picture joined(const std::vector<Picture>& pictures);

void write_png(const std::string& path, const Picture& picture);

}  // namespace verve
