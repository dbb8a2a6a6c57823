// Several geometries in one.
#pragma once

#include "geometry/Geometry.h"

namespace verve {

/// Appends the points, vertices and primitives of `from` with their attributes and groups. What only one of
/// the two has is filled up with its defaults; numbers of different kinds become doubles of the larger size.
/// Detail attributes stay those of `to` where both have them. Throws an Error that names the attribute when
/// one side holds text, or arrays, and the other does not.
void append(Geometry& to, const Geometry& from);

}  // namespace verve
