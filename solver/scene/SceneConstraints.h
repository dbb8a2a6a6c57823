// The holonomic constraints of a scene file.
#pragma once

#include "parameters/SceneCheck.h"
#include "simulation/Scene.h"

namespace verve {

/// A body of the scene and the number of its first point.
struct NamedBody {
  const Body* body;
  int first;
};

/// The body of that name or number; `place` names the key in messages.
NamedBody find_body(const Json& json, const Scene& scene, const std::string& place);

/// Reads json["constraints"] (checked before) into `scene`, whose bodies are complete. An entry that chooses
/// several points becomes a constraint for each of them, but for a rigid cluster.
void read_constraints(const Json& json, Scene& scene);

}  // namespace verve
