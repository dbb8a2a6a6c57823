// Maps that a body's animation paints frame by frame.
#pragma once

#include "scene/SceneSources.h"
#include "simulation/Scene.h"

namespace verve {

/// What the frames of a body's animation say beside where its points are; null: nothing. Throws an Error that
/// names the frame and element where lengths or rest shapes make no sense. `place` is the body's in messages.
std::shared_ptr<const Painted> painted_by(const PointFrames& frames, const Body& body,
                                          const Transform& transform, const Vec3& scale, const Scene& scene,
                                          const std::string& place);

}  // namespace verve
