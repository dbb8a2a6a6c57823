// What a frame may be coloured by: numbers on its points.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contact/Collider.h"
#include "energy/TetEnergy.h"
#include "geometry/Geometry.h"
#include "parameters/SceneCheck.h"

namespace verve {

struct Quantity {
  std::string name, unit;
  std::vector<float> values;  ///< one a point of the geometry
};

/// Quantities that are attributes of the cache are taken from there, others are worked out: speed from v,
/// strain from the rest shape, stress with the scene's materials, contact as the depth in its colliders.
class FrameQuantities {
 public:
  /// `scene` as a run leaves it, or null for caches that come without one; `colliders` are its own.
  FrameQuantities(const Json& scene, const std::vector<ColliderSpec>& colliders);
  /// The same quantities for every frame of one cache. `time` in seconds since the scene's first frame.
  std::vector<Quantity> at(const Geometry& frame, double time);

 private:
  struct Material {
    std::string body;
    TetModel model;
    double mu, lambda;
  };
  std::vector<float> contact(const Vector& x, double time);
  /// Stress and strain of the points, from the tets around them.
  void add_strains(const Geometry& frame, const Vector& x, std::vector<Quantity>& out) const;

  std::vector<Material> materials_;
  std::vector<std::unique_ptr<Collider>> colliders_;
};

}  // namespace verve
