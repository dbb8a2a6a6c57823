// The holonomic constraints of a scene file.
#pragma once

#include "parameters/SceneCheck.h"
#include "simulation/Scene.h"

namespace verve {

/// Reads json["constraints"] (checked before) into `scene`, whose bodies are complete. An entry that chooses
/// several points becomes a constraint for each of them, but for a rigid cluster.
void read_constraints(const Json& json, Scene& scene);

}  // namespace verve
