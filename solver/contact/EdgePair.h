// Two edges that cross: what EdgeEdge and ColliderEdgeEdge have in common.
#pragma once

#include "contact/EdgeCrossing.h"
#include "contact/SkinPair.h"

namespace verve {

class EdgePair : public SkinPair {
 public:
  using SkinPair::SkinPair;

  double found_gap(const FoundPair&, Contact) const override { return 0.0; }
  bool eases_overlaps() const override { return false; }
  std::string overlap(const ContactKey&, double) const override { return {}; }
  bool start(Contact& contact, const Vector& x, const Distance* known = nullptr) const override;
  bool is_behind(const Contact& contact) const override;
  void remember(const Contact& contact, bool presses, ContactMemory& memory) const override;

 protected:
  /// How far the ends of an edge go during a step.
  using Way = std::array<Vec3, 2>;
  /// Where an edge is on its way.
  static Eigen::AlignedBox3d box_around(const std::array<Vec3, 2>& end, const Way& way, double margin);
  /// Whether two edges can come within `thickness` during a step, if they stray from their ways by less than
  /// a quarter of what they approach each other, and by `stray`.
  static bool may_meet(const EdgePlace& a, const Way& way_a, const EdgePlace& b, const Way& way_b,
                       double thickness, double stray);
  /// Edges that are pressed past each other may lie farther apart by now than a slow step reaches.
  void find_pressed(PairKind kind, const Memories& memories);

  bool meet(Contact& contact, const Vector& x, Touch& touch) const override;
  EdgePlace second(const ContactKey& key, bool end) const;

  /// The first edge, when the step begins or ends, and whether it is of something solid.
  virtual EdgePlace first(const ContactKey& key, bool end) const = 0;
  virtual bool first_is_solid(const ContactKey& key) const = 0;
  virtual void set_edges(Contact& contact, const EdgeCrossing& crossing) const = 0;
  virtual double thickness(const Contact& contact) const = 0;
  /// How far behind the second edge's skin the first may begin.
  virtual double depth_behind(const ContactKey& key) const = 0;
  /// How far the first edge moves by itself where it is met.
  virtual Vec3 slide(const ContactKey&, const EdgeCrossing&) const { return Vec3::Zero(); }
};

}  // namespace verve
