// A surface made of triangles: a cloth sheet, a skin, a collider, or the input of the mesher.
#pragma once

#include <array>
#include <vector>

#include "base/Types.h"

namespace verve {

/// Triangles wind counter-clockwise seen from outside.
struct TriangleMesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
};

}  // namespace verve
