// The bodies of a scene file.
#pragma once

#include <string>
#include <vector>

#include "parameters/SceneCheck.h"
#include "simulation/Scene.h"

namespace verve {

/// Builds the body at scene["bodies"][index] (checked before), fills in the defaults that depend on its
/// shape, and appends it with its pins, targets and forces to `scene`. `folder` is where relative file names
/// begin.
void add_body(Json& body, std::size_t index, const std::string& folder, Scene& scene,
              std::vector<std::string>& warnings);

/// A motion from {"keys": [[time, {transform}], ...]}; `place` names it in messages.
Motion read_motion(const Json& json, const std::string& place);
Transform read_transform(const Json& json, const std::string& place);

}  // namespace verve
