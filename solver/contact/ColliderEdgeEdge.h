// Edges of colliders with those of bodies.
#pragma once

#include "contact/EdgePair.h"

namespace verve {

class ColliderEdgeEdge final : public EdgePair {
 public:
  using EdgePair::EdgePair;

  void find(const Vector& x, const Vector& v, const Memories& memories) override;
  Contact make(const ContactKey& key) const override;

 private:
  void find_at(int collider, int skin, const Vector& v);
  EdgePlace first(const ContactKey& key, bool end) const override;
  bool first_is_solid(const ContactKey& key) const override { return !parts_.collider(key).is_sheet(); }
  void set_edges(Contact& contact, const EdgeCrossing& crossing) const override;
  double thickness(const Contact& contact) const override { return parts_.thickness_at_collider(contact); }
  double depth_behind(const ContactKey& key) const override;
  Vec3 slide(const ContactKey& key, const EdgeCrossing& crossing) const override;
};

}  // namespace verve
