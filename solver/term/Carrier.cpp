#include "term/Carrier.h"

namespace verve {

Carrier::Carrier(const ColliderSpec& spec) : spec_(spec), shape_(spec.shape) {
  if (!spec.mesh) return;
  points_ = spec.mesh->points;
  mesh_ = std::make_shared<MeshShape>(std::make_shared<const MeshSurface>(*spec.mesh, spec.name), points_);
  shape_ = mesh_;
}

void Carrier::show(double time) {
  if (spec_.pose) pose_ = spec_.pose(time);
  if (mesh_ && spec_.deform) spec_.deform(time, points_), fitted_ = false;
}

CarriedPlace Carrier::nearest(const Vec3& p, Vec3& normal) {
  if (mesh_ && !fitted_) {
    mesh_->refit([this](int i) { return points_[std::size_t(i)]; });
    fitted_ = true;
  }
  const Vec3 local = pose_.inverse() * p;
  const Distance d = shape_->distance(local, std::numeric_limits<double>::infinity());
  normal = pose_.linear() * d.normal;
  CarriedPlace place;
  place.local = local - d.value * d.normal;
  if (!mesh_) return place;
  place.corners = mesh_->surface().triangles[std::size_t(d.triangle)];
  place.weights = d.weights;
  return place;
}

Vec3 Carrier::at(const CarriedPlace& place) const {
  if (place.corners[0] < 0) return pose_ * place.local;
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 3; ++k) sum += place.weights[k] * points_[std::size_t(place.corners[std::size_t(k)])];
  return pose_ * sum;
}

}  // namespace verve
