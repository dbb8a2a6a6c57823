// The bodies of a scene file.
#pragma once

#include <string>
#include <vector>

#include "parameters/SceneCheck.h"
#include "scene/SceneSources.h"
#include "scene/SceneValues.h"
#include "simulation/Scene.h"

namespace verve {

/// Builds the body at scene["bodies"][index] (checked before), fills in the defaults that depend on its
/// shape, and appends it with its pins, targets and forces to `scene`. `sources` has the geometry that it
/// names.
void add_body(Json& body, std::size_t index, const SceneSources& sources, Scene& scene,
              std::vector<std::string>& warnings);

}  // namespace verve
