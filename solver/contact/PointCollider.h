// Points of bodies at a collider.
#pragma once

#include "contact/PairType.h"

namespace verve {

/// The collider's surface is given, whatever the bodies do: the true geometry is looked at until contact and
/// geometry agree, and the potential along the way is met exactly (a discrete gradient). Behind these springs
/// may stand walls.
class PointCollider final : public PairType {
 public:
  explicit PointCollider(const ContactParts& parts)
      : PairType(parts), clearance_(parts.input.points.size()) {}

  /// How often the geometry is looked at: while it goes back and forth after eager_rounds by half each time,
  /// and no longer after last_round, when what is left is booked.
  static constexpr int eager_rounds = 8, last_round = 24;

  void find(const Vector& x, const Vector& v, const Memories& memories) override;
  /// Contacts of points that go farther to x than was foreseen. Of each point once in a step.
  std::vector<ContactKey> find_farther(const Vector& x);

  Contact make(const ContactKey& key) const override;
  double found_gap(const FoundPair& found, Contact contact) const override;
  std::string overlap(const ContactKey& key, double depth) const override;
  bool start(Contact& contact, const Vector& x, const Distance* known = nullptr) const override;
  bool may_be_overlooked() const override { return false; }
  void foresee(Contact& contact) const override;
  bool look(Contact& contact, const Chord& chord, const Vector& x, int round,
            Surroundings& near) const override;
  int friction_rounds() const override { return 10; }
  double end_gap(const Contact& contact, const Vector& x) const override;
  double penetration(const Contact& contact, double end_gap) const override;
  /// What a wall stands against, with the point at `at`, has gone around a sheet, not through it.
  void turn_to_side(Contact& contact, const Vec3& at) const;
  void remember(const Contact& contact, bool presses, ContactMemory& memory) const override;

 private:
  void look_closely(Contact& contact, const Chord& chord, const Vector& x, double share,
                    Surroundings& near) const;

  std::vector<double> clearance_;  ///< how far each listed point may go before it meets something unlisted
};

}  // namespace verve
