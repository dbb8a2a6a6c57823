// The polygons of a geometry as triangles, its poly lines as segments.
#pragma once

#include <array>
#include <vector>

#include "geometry/Geometry.h"

namespace verve {

/// Every polygon as a fan around its first vertex, in their order; polylines and tetrahedra are passed over.
std::vector<std::array<int, 3>> polygon_triangles(const Geometry& geometry);

/// The pairs of points that the segments of poly lines join.
std::vector<std::array<int, 2>> line_segments(const Geometry& geometry);

}  // namespace verve
