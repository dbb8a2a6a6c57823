// The geometry of a scene's bodies, before it is made of anything.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mesh/QuadraticMesh.h"
#include "mesh/TetMesh.h"
#include "mesh/TriangleMesh.h"
#include "parameters/SceneCheck.h"
#include "scene/SceneSources.h"
#include "simulation/EmbeddedSkin.h"
#include "simulation/PointAttributes.h"

namespace verve {

/// A body's geometry: tets, or what springs are made of, triangles or the poly lines of `rods`.
struct BodyShape {
  TetMesh tets;
  std::vector<std::array<int, 10>> quadratic;  ///< as of Body
  TriangleMesh cloth;
  bool is_cloth = false;
  std::shared_ptr<Geometry> rods;
  std::shared_ptr<Geometry> woven;  ///< what a cloth came from, with its uv
  std::shared_ptr<const EmbeddedSkin> skin;
  PointAttributes attributes;
  /// Where a cache has the body's points (a filled surface: those of its tets), before the transform.
  PointFrames animation;
};

/// Whether a material of that name is made of springs.
bool of_springs(const std::string& model);

/// The shape or file that `geometry` names (called `place` in messages), whose missing sizes are filled in.
/// `model`: the material's, where the scene gives one.
BodyShape make_shape(Json& geometry, const std::string& model, const std::string& place,
                     const SceneSources& sources, std::vector<std::string>& warnings);

/// Gives the tets points in the middle of their edges.
void make_quadratic(const std::string& place, BodyShape& shape);

}  // namespace verve
