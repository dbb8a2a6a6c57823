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

/// The points that a box or a list of a pin, target, force or constraint chooses, as numbers over all bodies;
/// `first` is that of the body's first point. Without either all of them if `all`, else an Error.
std::vector<int> chosen_points(const Json& json, const Body& body, int first, const std::string& place,
                               bool all);

}  // namespace verve
