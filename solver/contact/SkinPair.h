// Pairs that meet the skin of a body: where both sides may deform.
#pragma once

#include "contact/PairType.h"

namespace verve {

/// Between deforming bodies the true geometry would be looked at for ever. After a few looks the contact is
/// booked instead: normal and weights are held, and its linear gap goes on into the next step.
class SkinPair : public PairType {
 public:
  using PairType::PairType;

  /// Contacts with skins keep the energy whichever way they face, and each look costs iterations.
  static constexpr int last_round = 4;

  bool look(Contact& contact, const Chord& chord, const Vector& x, int round,
            Surroundings& near) const override;
  int friction_rounds() const override { return last_round; }
  double end_gap(const Contact& contact, const Vector& x) const override;

 protected:
  /// What meets at the step's end, with the bodies at x: sets the contact's parts. False where nothing does.
  virtual bool meet(Contact& contact, const Vector& x, Touch& touch) const = 0;
};

/// A point, and the nearest place of the skin that it meets.
class PointAtSkin : public SkinPair {
 public:
  using SkinPair::SkinPair;

  double found_gap(const FoundPair& found, Contact contact) const override;
  bool start(Contact& contact, const Vector& x, const Distance* known = nullptr) const override;
  void remember(const Contact& contact, bool presses, ContactMemory& memory) const override;

 protected:
  bool meet(Contact& contact, const Vector& x, Touch& touch) const override;
  /// The nearest place, if any is within reach, is put on a list.
  void find_near(const ContactKey& key, const Vec3& p, double reach, const Memories& memories,
                 std::vector<FoundPair>& out) const;

  /// Where the point is when the step begins, and when it ends with the bodies at x.
  virtual Vec3 start_place(const ContactKey& key) const = 0;
  virtual Vec3 end_place(const ContactKey& key, const Vector& x) const = 0;
  /// Whether the point is none of a body's.
  virtual bool alone() const = 0;
  /// The thickness where they meet, and the most that it can be.
  virtual double thickness(const Contact& contact) const = 0;
  virtual double widest(const ContactKey& key) const = 0;
  /// What looks for the skin.
  virtual Seeker seeker(const ContactKey& key, const Vec3& from) const = 0;
  /// Whether the side has to be remembered even of a closed skin.
  virtual bool has_front(const ContactKey& key) const = 0;
};

}  // namespace verve
