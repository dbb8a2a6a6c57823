// A part of a geometry.
#pragma once

#include <vector>

#include "geometry/Geometry.h"

namespace verve {

/// Keeps the points that `keep` marks with 1, with their attributes and groups; edges of groups that lose an
/// end go too. No primitive may refer to a point that goes.
void keep_points(Geometry& geometry, const std::vector<std::uint8_t>& keep);

/// Keeps the primitives that `keep` marks with 1, and of the points those that they refer to.
void keep_primitives(Geometry& geometry, const std::vector<std::uint8_t>& keep);

}  // namespace verve
