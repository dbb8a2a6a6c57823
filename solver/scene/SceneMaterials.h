// What a scene's body is made of.
#pragma once

#include "scene/SceneShapes.h"
#include "simulation/Scene.h"

namespace verve {

/// The body that a shape and the material of a body's JSON (checked before) make, at rest; defaults that
/// depend on the shape are filled in. `place` is what messages call the JSON.
Body make_body(Json& json, const std::string& name, const std::string& place, BodyShape& shape,
               std::vector<std::string>& warnings);

}  // namespace verve
