// Points of bodies at skins: of other bodies, or of their own.
#pragma once

#include "contact/SkinPair.h"

namespace verve {

class PointTriangle final : public PointAtSkin {
 public:
  using PointAtSkin::PointAtSkin;

  void find(const Vector& x, const Vector& v, const Memories& memories) override;
  Contact make(const ContactKey& key) const override;
  std::string overlap(const ContactKey& key, double depth) const override;
  /// A body's own far side is behind each of its points, and so is the rest of a body behind what came in by
  /// a part of it that it passes through.
  bool is_behind(const Contact& contact) const override;
  void for_each_coupled(const Contact& contact, const Vector& x, const Vector& ahead, double widening,
                        FunctionRef<void(const std::array<int, 2>&)> visit) const override;

 private:
  Vec3 start_place(const ContactKey& key) const override { return point(parts_.x0, key.a); }
  Vec3 end_place(const ContactKey& key, const Vector& x) const override { return point(x, key.a); }
  bool alone() const override { return false; }
  double thickness(const Contact& contact) const override { return parts_.thickness_between(contact); }
  double widest(const ContactKey& key) const override;
  Seeker seeker(const ContactKey& key, const Vec3& from) const override;
  bool has_front(const ContactKey& key) const override {
    return own(key) || !parts_.input.collision_matrix.all();
  }
  bool own(const ContactKey& key) const { return parts_.skin_of_point(key.a) == key.skin; }
};

}  // namespace verve
