// Normals that make triangles look like the smooth surface that they stand for.
#pragma once

#include <array>
#include <vector>

#include "base/Types.h"

namespace verve {

/// The normals at the corners of each triangle, as `now` has the points: means over the triangles around a
/// point that are joined by edges which are no creases in `rest`, each weighted by its angle there.
std::vector<std::array<Vec3, 3>> smooth_normals(const std::vector<std::array<int, 3>>& triangles,
                                                const std::vector<Vec3>& rest, const std::vector<Vec3>& now);

}  // namespace verve
