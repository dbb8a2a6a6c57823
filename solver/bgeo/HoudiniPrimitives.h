// The primitives of a Houdini file: one by one, in runs with varying fields, or in runs of one type.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bgeo/HoudiniJson.h"
#include "bgeo/HoudiniPacked.h"
#include "geometry/Geometry.h"

namespace verve {

/// What of them becomes primitives of Geometry, in their order, and what of the file's vertices and
/// primitives each is made of. A soup's polygons all come from one of the file's primitives, and may use a
/// vertex of it several times.
struct HoudiniPrimitives {
  std::vector<PrimitiveType> types;
  std::vector<int> starts = {0};
  std::vector<int> vertices, primitives;
  /// 1 for each of the file's vertices that belongs to a primitive which is kept.
  std::vector<std::uint8_t> used;
  /// How many of each kind were skipped.
  std::map<std::string, std::size_t> skipped;
  /// Those that stand for a geometry; whether the file holds it is not known yet.
  std::vector<PackedPrimitive> packed;
};

/// Reads the list of a file that announces so many vertices and primitives. An Error if they do not fit.
HoudiniPrimitives read_houdini_primitives(const JsonValue& list, std::size_t vertices,
                                          std::size_t primitives);

}  // namespace verve
