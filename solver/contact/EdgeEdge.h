// Edges of bodies with each other: of other bodies, or of their own.
#pragma once

#include "contact/EdgePair.h"

namespace verve {

class EdgeEdge final : public EdgePair {
 public:
  using EdgePair::EdgePair;

  void find(const Vector& x, const Vector& v, const Memories& memories) override;
  Contact make(const ContactKey& key) const override;
  void for_each_coupled(const Contact& contact, const Vector& x, const Vector& ahead, double widening,
                        FunctionRef<void(const std::array<int, 2>&)> visit) const override;

 private:
  void find_between(int from, int to, const Vector& x, const Vector& v);
  EdgePlace first(const ContactKey& key, bool end) const override;
  bool first_is_solid(const ContactKey& key) const override;
  void set_edges(Contact& contact, const EdgeCrossing& crossing) const override;
  double thickness(const Contact& contact) const override { return parts_.thickness_between(contact); }
  double depth_behind(const ContactKey& key) const override;
};

}  // namespace verve
