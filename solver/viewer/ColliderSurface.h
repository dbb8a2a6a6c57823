// Colliders as triangles, for pictures.
#pragma once

#include <array>
#include <vector>

#include "contact/Collider.h"
#include "parameters/SceneCheck.h"

namespace verve {

struct ColliderSurface {
  std::vector<std::array<Vec3, 3>> triangles;
  bool from_inside = false;  ///< a bowl: seen only where one looks into it
  /// Of planes, which have no triangles: solid where normal.x < offset, the normal of unit length.
  bool is_plane = false;
  Vec3 normal = Vec3::UnitY();
  double offset = 0.0;
};

/// At `time` seconds; `json` is the collider's part of a scene as run.
ColliderSurface collider_surface(const Json& json, const ColliderSpec& spec, double time);

}  // namespace verve
