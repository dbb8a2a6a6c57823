// Cloth and strings as nets of springs.
#pragma once

#include <array>
#include <vector>

#include "mesh/TriangleMesh.h"

namespace verve {

/// Points joined by springs. Every pair of points is joined at most once: `stretch` along the edges, `bend`
/// between points that one edge (of a sheet) or one point (of a string) separates.
struct SpringNet {
  std::vector<Vec3> points;
  std::vector<std::array<int, 2>> stretch, bend;
};

/// Stretch springs along the edges; bend springs between the points opposite to each inner edge. Where more
/// than two triangles meet at an edge, every two of them are joined.
SpringNet make_spring_net(const TriangleMesh& sheet);

/// Strings: each line is a list of points in order; a line that ends where it began is a closed loop.
SpringNet make_spring_net(const std::vector<Vec3>& points, const std::vector<std::vector<int>>& lines);

}  // namespace verve
