// Contact as one more term of a step: finds what may meet, repels it, rubs it, and keeps the books.
#pragma once

#include "contact/PairType.h"

namespace verve {

class PairWalls;
class PointCollider;

/// All contacts of a step, whatever they are between: PairType and what derives from it find them and look at
/// the geometry. Here they are summed up and booked.
class Contacts final : public Energy {
 public:
  /// `mass` has a value per degree of freedom.
  Contacts(ContactInput input, const Vector& mass, const Vec3& gravity);
  ~Contacts() override;

  /// Finds what may touch during the step from `time` over h seconds.
  ContactBooks begin_step(const Vector& x, const Vector& v, double time, double h, ContactState& state);
  /// Books the step that led to x, and remembers what the next one needs.
  ContactBooks end_step(const Chord& chord, const Vector& x, ContactState& state);
  /// Closes what the walls between bodies left of a step's energy balance, by a change of the velocities at
  /// its end.
  ContactBooks close_balance(Vector& v, ContactState& state);

  /// What may touch during such a step, with gaps and normals at its start; `moved` is what the outside's
  /// motion makes of the gap. Only a look: it lasts until the next step begins.
  const std::vector<Contact>& look_ahead(const Vector& x, const Vector& v, double time, double h,
                                         const ContactState& state);
  /// How many points went through closed colliders on straight ways between two times. Lasts as look_ahead()
  /// does.
  int passed(const Vector& from, const Vector& to, double start, double end);
  /// What contact has given each point since clear_impulse(), N s.
  const Vector& impulse() const { return impulse_; }
  void clear_impulse() { impulse_.setZero(parts_.mass.size()); }
  /// While it is true, steps look for rest: colliders stand where they are when a step begins, nothing is
  /// eased, and gaps are always those of the geometry.
  void stand_still(bool still) { parts_.still = still; }

  /// Looks at the true geometry with the step's end at x. True when that changed the forces at x. Directions
  /// are left alone after some rounds, so that a point that rests in a crease of a mesh does not make them
  /// flip for ever.
  bool update_correction(const Chord& chord, const Vector& x) override;

  bool has_walls() const { return parts_.input.settings.wall; }
  /// The points that pins hold in the step that begins next: walls give way to pins.
  void set_held(const std::vector<int>& held);
  /// Takes points that x has behind walls back on their ways, to where a step's solution may be looked for.
  /// Where that cannot be had of all walls at once, some give way for this step, those of later colliders
  /// first.
  bool make_feasible(Vector& x);
  /// Lets the walls that x breaks give way: for what moves points by other laws.
  void give_way_at(const Vector& x);
  /// The share of a direction that can be gone from x without reaching a wall.
  double largest_step(const Vector& x, const Vector& direction);
  /// Whether the straight ways to x meet no wall between bodies.
  bool chord_is_free(const Vector& x);

  /// A Newton iteration went from one point to the next: the dual variables of the Hessian follow.
  void follow(const Chord& chord, const Vector& from, const Vector& to);
  /// The full Newton step from x would lead to `trial`: lets the Hessian know of the contacts that it did not
  /// see coming. True when there are any.
  bool foresee(const Chord& chord, const Vector& x, const Vector& trial);

  /// The pairs change when bodies come near each other: pairs_changed() then tells that the pattern is to be
  /// made again, until attach() is called.
  void append_pairs(std::vector<std::array<int, 2>>& pairs) const override;
  void attach(const BlockPattern&) override { pairs_changed_ = false; }
  bool pairs_changed() const { return pairs_changed_; }
  /// Couples what walls between bodies press together at x, should the pattern not have it. True when it is
  /// to be made again.
  bool couple_pressed(const Vector& x);
  /// Couples the points that this state's last step coupled: what comes before a step's contacts are looked
  /// for then meets the same pattern in a resumed run as in the unbroken one.
  void recall(const ContactState& state) {
    if (parts_.skins.empty() || state.coupled == coupled_) return;
    coupled_ = state.coupled;
    pairs_changed_ = true;
  }

  /// Between steps: what multiplies friction from the next one on, by point of the bodies.
  void set_friction(std::vector<double> by_point) { parts_.input.friction = std::move(by_point); }

  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override;
  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const override;
  /// Adds the forces at the step's start, for schemes that do not average.
  void add_start_gradient(Vector& gradient) const;
  /// Adds the repulsion with the points at `x` and the friction with them at `next`, for schemes that know no
  /// other force than this. Planes are as they were at the step's start.
  void add_explicit_gradient(const Vector& x, const Vector& next, Vector& gradient) const;

  const std::vector<Contact>& contacts() const { return contacts_; }
  /// The walls between bodies; null without any.
  const PairWalls* pair_walls() const { return pairs_.get(); }
  int looks() const {
    return rounds_;
  }  ///< how often update_correction() looked at the geometry in this step
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  const PairType& type_of(const ContactKey& key) const { return *types_[std::size_t(key.kind)]; }

  // The start of a step, in ContactStart.cpp.
  using Memories = std::vector<ContactMemory>;
  void couple(const Vector& x, const Vector& v, ContactState& state);
  /// Everything that may touch during the step.
  void find(const Vector& x, const Vector& v, double time, double h, const Memories& memories,
            ContactState* state = nullptr, ContactBooks* books = nullptr);
  void list_found(bool first);
  bool is_listed(const ContactKey& key) const;
  /// Lists contacts of points that went farther than was foreseen.
  bool list_farther(const Vector& x);
  void change_share(Contact& contact, const ContactMemory& memory, double& gap, ContactBooks& books,
                    double& reserve) const;
  void take_booked_gap(Contact& contact, const ContactMemory* memory, ContactBooks& books,
                       double& reserve) const;

  void look(Contact& contact, const Chord& chord, const Vector& x, Surroundings& near) const;
  /// Takes the pressures of friction from `press_was_` to what was looked up by more or less than all the way
  /// (Aitken): each raises or lowers those around it, so that whole steps may swing back and forth.
  void relax_press();
  double end_gap(const Contact& contact, const Vector& x) const;

  // The wall, in ContactWall.cpp.
  bool move_behind_walls(Vector& x);
  bool is_held(const Contact& contact) const;
  void tell_given_way(const std::vector<int>& points, double time);
  double full_reach(const Contact& contact) const;
  double energy_at_hand(const Vector& v, const ContactState& state) const;
  void set_wall(Contact& contact, const ContactMemory* memory, ContactBooks& books) const;
  double wall_gap(const Contact& contact, const Vec3& at, Vec3& normal) const;
  /// Its path potential with the point at `at`, in J; infinite behind it.
  PathPotential along_wall(const Contact& contact, const Vec3& at, Vec3& normal) const;
  void look_at_wall(Contact& contact, const Vec3& at, double share) const;
  Vec3 end_wall(const Contact& contact, const Vec3& at, ContactMemory& memory, ContactBooks& books,
                ContactState& state, bool& touches) const;

  std::vector<std::string> warnings_;
  ContactParts parts_;
  std::unique_ptr<PairWalls> pairs_;
  std::array<std::unique_ptr<PairType>, 5> types_;  ///< by PairKind
  PointCollider* at_colliders_ = nullptr;           ///< the first of them
  static constexpr int last_wall_round = 60;        ///< after as many looks the wall's balance is booked
  std::vector<char> held_;                          ///< by point; empty: none
  double wall_energy_ = 0.0;                        ///< at hand, as ContactState has it
  Vector trial_;

  Vector impulse_;
  std::vector<Contact> contacts_;  ///< the first `sorted_` ascending by key
  std::size_t sorted_ = 0;
  std::vector<FoundPair> listed_;  ///< of each contact while a step begins
  std::vector<std::array<int, 2>> coupled_;
  bool pairs_changed_ = false;
  std::vector<const ContactMemory*> memory_;  ///< of each contact while a step begins
  std::vector<double> change_, size_;
  std::vector<double> press_was_, press_change_;  ///< before the last look, and what the one before asked for
  double press_relaxation_ = 1.0;
  std::vector<Surroundings> surroundings_;  ///< of each contact's place at the step's end
  int rounds_ = 0;
};

}  // namespace verve
