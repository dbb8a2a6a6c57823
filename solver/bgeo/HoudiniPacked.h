// Packed primitives of a Houdini file: one point that stands for a geometry of its own, kept in the same file
// ("embedded"), turned and put in its place.
#pragma once

#include <map>
#include <string>

#include "bgeo/HoudiniJson.h"
#include "geometry/Geometry.h"

namespace verve {

/// A packed primitive whose geometry is in the file.
struct PackedPrimitive {
  std::string type;
  std::string embedded;         ///< the name of its geometry among the file's shared data
  std::string attribute, name;  ///< of a fragment: it is the primitives whose `attribute` is `name`
  int vertex = 0;               ///< the file's vertex whose point places it
  Vec3 pivot = Vec3::Zero();
  /// As Houdini has it, for rows: a point p of the geometry comes to (p - pivot) * turn + P.
  Mat3 turn = Mat3::Identity();
  bool instanced = false;  ///< further attributes of its point (orient, pscale, ...) would turn it
};

/// Whether primitives of this type may hold their geometry in the file.
bool is_packed(const std::string& type);

/// Reads one from the value of each of its fields; an Error if one is not as it should be. `embedded` is
/// empty where the geometry is not in the file.
PackedPrimitive read_packed(const std::string& type, const std::map<std::string, const JsonValue*>& fields);

/// Puts a copy of its geometry, of which P must be there, to its place around `centre`. Vectors and normals
/// turn with it, as their type says.
Geometry unpacked(const PackedPrimitive& packed, Geometry geometry, const Vec3& centre);

}  // namespace verve
