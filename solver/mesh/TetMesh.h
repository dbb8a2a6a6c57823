// A volume made of tetrahedra.
#pragma once

#include <array>
#include <vector>

#include "base/Types.h"

namespace verve {

/// Points in metres and tets of positive volume: det(p1 - p0, p2 - p0, p3 - p0) > 0.
struct TetMesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 4>> tets;
};

}  // namespace verve
