// Scene geometry that carries what is attached to it.
#pragma once

#include "contact/Collider.h"

namespace verve {

/// A place of a collider's surface: of a mesh a triangle's corners and their weights, of a shape a place in
/// its frame.
struct CarriedPlace {
  std::array<int, 3> corners = {-1, -1, -1};
  Vec3 weights = Vec3::Zero();
  Vec3 local = Vec3::Zero();
};

/// A collider at one time after the other.
class Carrier {
 public:
  explicit Carrier(const ColliderSpec& spec);

  void show(double time);
  /// The place of the surface nearest to p as it is shown, and the surface's normal there.
  CarriedPlace nearest(const Vec3& p, Vec3& normal);
  Vec3 at(const CarriedPlace& place) const;

 private:
  ColliderSpec spec_;
  std::shared_ptr<const Shape> shape_;
  std::shared_ptr<MeshShape> mesh_;
  std::vector<Vec3> points_;  // of the mesh, in its frame
  Eigen::Isometry3d pose_ = Eigen::Isometry3d::Identity();
  bool fitted_ = false;
};

}  // namespace verve
