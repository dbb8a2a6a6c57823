// Which way the warp of a fabric goes.
#pragma once

#include <array>
#include <vector>

#include "geometry/Geometry.h"

namespace verve {

/// For each of polygon_triangles() the direction of the warp over the rest positions: the attribute `warp` of
/// points or primitives (three numbers), or else where u grows in the attribute `uv` of vertices or points.
/// Empty when there is neither. Triangles without area in uv get a zero vector. Throws an Error for
/// attributes of the wrong size.
std::vector<Vec3> warp_directions(const Geometry& geometry, const std::vector<Vec3>& rest);

}  // namespace verve
