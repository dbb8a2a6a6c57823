// A triangle mesh whose points move from frame to frame, read from a cached sequence.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "geometry/FrameSource.h"
#include "mesh/TriangleMesh.h"
#include "simulation/PointAttributes.h"

namespace verve {

struct AnimatedMesh {
  ColliderAttributes attributes;  ///< of the first frame's points
  CollisionRules collision;       ///< of those as well
  std::uint64_t fingerprint = 0;  ///< of the triangles, the attributes, and the points in every frame
  std::shared_ptr<const TriangleMesh> mesh;  ///< as it is in the first frame
  /// The points at a frame, straight between two frames and held before the first and after the last; none
  /// for a mesh that stands still.
  std::function<void(double frame, std::vector<Vec3>& points)> at;
};

/// Reads a mesh file, or all frames of FOLDER/NAME.$F4.ENDING or of a file that holds them; points are
/// multiplied by `scale`. Throws an Error that names the point whose attribute is negative or not a number,
/// the frame whose triangles are not those of the first, or the point that is not finite.
AnimatedMesh load_animated_mesh(const std::string& path, const Vec3& scale);
/// The same for frames at hand, called `name` in messages.
AnimatedMesh animated_mesh(const FrameSource& source, const std::string& name, const Vec3& scale);

/// Moves a mesh that stood still by a cache of its points, called `name` in messages.
void animate(AnimatedMesh& mesh, const FrameSource& points, const std::string& name, const Vec3& scale);

}  // namespace verve
