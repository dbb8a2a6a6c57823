// The skin of the tetrahedra of a geometry, for formats and viewers that know polygons only.
#pragma once

#include <array>
#include <vector>

#include "geometry/Geometry.h"

namespace verve {

/// The triangles that belong to one tetrahedron only, wound counter-clockwise seen from outside, in the order
/// of the tetrahedra.
std::vector<std::array<int, 3>> tet_surface(const Geometry& geometry);

}  // namespace verve
