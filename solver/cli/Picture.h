// Pictures without a GPU or a display.
#pragma once

#include <string>

#include <Eigen/Geometry>

#include "geometry/Geometry.h"

namespace verve {

/// Draws the outside of tets and the polygons of `geometry`, lit from above the camera, with the plane y = 0
/// as the floor, and writes a PNG. `bounds` is what the camera frames, so that all frames of a run share one
/// view.
void write_picture(const std::string& path, const Geometry& geometry, const Eigen::AlignedBox3d& bounds,
                   int width, int height);

}  // namespace verve
