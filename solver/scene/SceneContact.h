// The colliders of a scene file.
#pragma once

#include <string>

#include "base/Fingerprint.h"
#include "parameters/SceneCheck.h"
#include "scene/SceneSources.h"
#include "simulation/Scene.h"

namespace verve {

/// Reads json["colliders"] (checked before) into `scene` and fills in the defaults that depend on a shape.
/// `sources` has the geometry that they name; what is in the files, in every frame that they have, is added
/// to `files`.
void read_colliders(Json& json, const SceneSources& sources, Scene& scene, Fingerprint& files);

}  // namespace verve
