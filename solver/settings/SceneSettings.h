// The settings of a scene that stand outside its lists: how it is stepped, damped and kept apart.
#pragma once

#include "parameters/SceneCheck.h"
#include "simulation/Scene.h"

namespace verve {

/// Reads substeps, gravity, integrator, solver, damping and contact of a scene's JSON (checked before) into
/// `scene`. Damping that is said by its look is written back as what it comes to. What has no effect is
/// said in `warnings`.
void read_settings(Json& json, Scene& scene, std::vector<std::string>& warnings);

}  // namespace verve
