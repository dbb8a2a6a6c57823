// One of the ways in which parts of surfaces meet: PairKind has them all.
#pragma once

#include "contact/ContactParts.h"

namespace verve {

/// What may touch during a step.
struct FoundPair {
  ContactKey key;
  Distance distance;  ///< at the step's start; not of edges
};

/// What all contacts of a kind have in common: who is near whom, where such a contact begins, what meets at
/// the step's end, and what of it is booked and remembered.
class PairType {
 public:
  using Memories = std::vector<ContactMemory>;

  explicit PairType(const ContactParts& parts) : parts_(parts) {}
  virtual ~PairType() = default;

  /// Finds what may touch during the step that the parts have begun from x with v: in lists, in any order.
  virtual void find(const Vector& x, const Vector& v, const Memories& memories) = 0;
  const std::vector<std::vector<FoundPair>>& found() const { return found_; }

  /// The contact of that name, as far as it is the same wherever the two meet.
  virtual Contact make(const ContactKey& key) const = 0;

  /// The gap at the step's start of one that was found.
  virtual double found_gap(const FoundPair& found, Contact contact) const = 0;
  /// Whether overlaps at the run's start are eased out; where not, they begin without energy.
  virtual bool eases_overlaps() const { return true; }
  /// The mass that presses on it, roughly, and how messages tell an overlap of that depth.
  virtual double mass_at(const ContactKey& key) const { return parts_.mass[3 * Eigen::Index(anchor(key))]; }
  virtual std::string overlap(const ContactKey& key, double depth) const = 0;

  /// Where it begins, at x; `known` is what was found. False where nothing is there to meet.
  virtual bool start(Contact& contact, const Vector& x, const Distance* known = nullptr) const = 0;
  /// Whether what seems to touch is only behind: a contact can only begin from the front.
  virtual bool is_behind(const Contact&) const { return false; }
  /// Whether the search may overlook one until there is an overlap, which then begins without energy.
  virtual bool may_be_overlooked() const { return true; }
  /// For a look ahead: sets what the outside's motion makes of the gap.
  virtual void foresee(Contact&) const {}

  /// Looks at the geometry with the step's end at x, for the round-th time. False where nothing meets there
  /// any more, and the contact is left as it was.
  virtual bool look(Contact& contact, const Chord& chord, const Vector& x, int round,
                    Surroundings& near) const = 0;
  /// For as many rounds friction follows the repulsion.
  virtual int friction_rounds() const = 0;

  /// The gap of the geometry at the step's end.
  virtual double end_gap(const Contact& contact, const Vector& x) const = 0;
  /// How far behind a collider's surface that is.
  virtual double penetration(const Contact&, double) const { return 0.0; }
  /// What this kind remembers; `presses`: there is a force as the step ends.
  virtual void remember(const Contact& contact, bool presses, ContactMemory& memory) const = 0;

  /// Visits the pairs of points that the contact may couple until the points are at `ahead`. The wider, the
  /// more.
  virtual void for_each_coupled(const Contact&, const Vector& x, const Vector& ahead, double widening,
                                FunctionRef<void(const std::array<int, 2>&)> visit) const {
    (void)x, (void)ahead, (void)widening, (void)visit;
  }

 protected:
  /// A body's point that stands for the first side where only a rough value matters.
  int anchor(const ContactKey& key) const {
    const CarriedPoint* c = parts_.carried(key.a);
    return c ? c->corners[0] : key.a;
  }
  /// A contact with the numbers of bodies against each other, or of a collider.
  Contact between_bodies(const ContactKey& key) const;
  Contact at_collider(const ContactKey& key) const;
  /// Lets it act on a point of a body, whose multipliers count.
  void set_point(Contact& contact, int i) const;
  /// Multiplies with the mean of some points' values.
  void multiply(Contact& contact, const std::vector<int>& points) const;

  const ContactParts& parts_;
  std::vector<std::vector<FoundPair>> found_;
};

/// Whether the contact was pressed into a sheet, or past an edge, when the last step ended.
bool was_pressed(const std::vector<ContactMemory>& memories, const ContactKey& key);

}  // namespace verve
