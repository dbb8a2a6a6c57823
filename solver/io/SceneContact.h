// The colliders of a scene file.
#pragma once

#include <string>

#include "parameters/SceneCheck.h"
#include "simulation/Scene.h"

namespace verve {

/// Reads json["colliders"] (checked before) into `scene` and fills in the defaults that depend on a shape.
/// `folder` is where relative file names begin.
void read_colliders(Json& json, const std::string& folder, Scene& scene);

}  // namespace verve
