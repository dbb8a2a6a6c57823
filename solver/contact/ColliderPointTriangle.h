// Points of colliders at the skins of bodies.
#pragma once

#include "contact/SkinPair.h"

namespace verve {

class ColliderPointTriangle final : public PointAtSkin {
 public:
  using PointAtSkin::PointAtSkin;

  void find(const Vector& x, const Vector& v, const Memories& memories) override;
  Contact make(const ContactKey& key) const override;
  std::string overlap(const ContactKey& key, double depth) const override;
  /// The mass of what is pressed is not known before it is met: any point's will do.
  double mass_at(const ContactKey&) const override { return parts_.mass[0]; }
  /// The far side of a solid collider is behind its points, and the rest of a body behind what came in by a
  /// part of it that it passes through.
  bool is_behind(const Contact& contact) const override;

 private:
  Vec3 start_place(const ContactKey& key) const override { return parts_.collider(key).start_vertex(key.a); }
  Vec3 end_place(const ContactKey& key, const Vector&) const override {
    return parts_.collider(key).end_vertex(key.a);
  }
  bool alone() const override { return true; }
  double thickness(const Contact& contact) const override { return parts_.thickness_at_collider(contact); }
  double widest(const ContactKey& key) const override {
    return parts_.collider(key).spec().thickness + parts_.skin_radius(key.skin);
  }
  Seeker seeker(const ContactKey& key, const Vec3& from) const override {
    return {-1, from, widest(key), parts_.met_by_collider(key.collider, key.skin)};
  }
  bool has_front(const ContactKey&) const override { return !parts_.input.collision_matrix.all(); }
};

}  // namespace verve
