// Houdini's geometry files: .geo (JSON text), .bgeo (binary JSON) and .bgeo.sc (the same, compressed with
// blosc).
//
// Orientation: Houdini's polygons wind clockwise seen from outside, and its tetrahedra have
// det(p1 - p0, p2 - p0, p3 - p0) < 0; Geometry has both the other way round. Both functions reorder the
// vertices (with their attributes and groups), so that what is written and read again is the same geometry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "geometry/Geometry.h"

namespace verve {

enum class HoudiniEncoding { Text, Binary, Compressed };

/// The bytes of the file. They depend on the geometry alone (no date, no host name).
std::string write_houdini(const Geometry& geometry, HoudiniEncoding encoding);

/// Reads any of the three encodings, from Houdini 12 on, of either endianness, with the long names of keys or
/// the short ones of binary files. Polygon soups become polygons; packed primitives are unpacked if the file
/// holds their geometry. What Verve has no place for (other primitives, unknown kinds of attribute) is left
/// out and named in `warnings`.
Geometry read_houdini(std::string_view bytes, std::vector<std::string>* warnings);

}  // namespace verve
