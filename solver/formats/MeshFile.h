// What a mesh file holds, whatever its format.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/Types.h"

namespace verve {

/// Indices are within `points`; nothing else has been checked.
struct MeshFile {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 4>> tets;
};

/// Adds a polygon as a fan of triangles around its first corner.
void add_polygon(MeshFile& file, const std::vector<int>& corners);

}  // namespace verve
