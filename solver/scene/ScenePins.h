// What holds, draws and pushes the points of a scene's body.
#pragma once

#include "scene/SceneShapes.h"
#include "simulation/Scene.h"

namespace verve {

/// The points that a box or a list of a pin, target, force or constraint chooses, as numbers over all bodies;
/// `first` is that of the body's first point. Without either all of them if `all`, else an Error.
std::vector<int> chosen_points(const Json& json, const Body& body, int first, const std::string& place,
                               bool all);

/// Appends the pins, targets and forces that the points of a shape ask for, and then those of the body's JSON
/// (checked before), which messages call `place`. `body` is where it starts, moved by `transform`; it is the
/// next that the scene gets.
void add_pins(Json& json, const std::string& place, const BodyShape& shape, const Body& body,
              const Transform& transform, Scene& scene);

}  // namespace verve
