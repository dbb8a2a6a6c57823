// The attachments of a scene file.
#pragma once

#include "parameters/SceneCheck.h"
#include "simulation/Scene.h"

namespace verve {

/// Reads json["attachments"] (checked before) into `scene`, whose bodies and colliders are complete.
void read_attachments(const Json& json, Scene& scene);

}  // namespace verve
