// Contact as one more term of a step: finds what may meet, repels it, rubs it, and keeps the books.
#pragma once

#include "contact/Collider.h"
#include "contact/Contact.h"
#include "contact/LayerLaw.h"
#include "contact/Meetings.h"
#include "contact/Skin.h"

namespace verve {

class PairWalls;

enum class ContactRule {
  exact,   ///< repulsion springs that keep the energy under an averaging integrator
  paper,   ///< the AVF paper's: springs to planes found at the step's start, removed when separated and
           ///< leaving
  layers,  ///< nested penalty layers, of the asynchronous integrator; `thickness` is that of the outermost
};

struct ContactSettings {
  ContactRule rule = ContactRule::exact;
  double ease = 0.5;     ///< seconds over which overlaps at the run's start are eased out
  bool between = false;  ///< bodies meet each other
  bool self = false;     ///< and themselves
  /// Points of bodies do not pass colliders: behind the spring stands a wall. It reaches over half of the
  /// collider's thickness, or where there is none as far as this (m).
  bool wall = false;
  double wall_reach = 0.0;
  /// Of bodies against each other; as in ColliderSpec.
  double stiffness = 2000.0, thickness = 0.0, static_friction = 0.0, dynamic_friction = 0.0;
  LayerSettings layers;
};

/// The surface of a body, by points of the whole system.
struct ContactBody {
  std::string name;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> lines;  ///< of ropes, for penalty layers
};

/// A point of an embedded surface: the mean of four points of a body, by weights that add up to one. A force
/// on it acts on them in the same proportion.
struct CarriedPoint {
  std::array<int, 4> corners;
  std::array<double, 4> weights;
};

/// Everything that contact is made of. Lists by point may be empty: all ones.
struct ContactInput {
  ContactSettings settings;
  std::vector<ColliderSpec> colliders;
  /// Those that meet colliders, ascending; empty: all. Numbers beyond the bodies' points are those of
  /// `carried`.
  std::vector<int> points;
  std::vector<CarriedPoint> carried;
  /// Needed where bodies meet each other or themselves, or the points of colliders.
  std::vector<ContactBody> bodies;
  Vector rest;                              ///< the points where the bodies are not deformed; for `bodies`
  std::vector<double> stiffness, friction;  ///< factors by point of the bodies
  /// By point, m: what adds to the thickness of colliders, and what takes the place of `thickness` between
  /// bodies, half of which each side brings. Empty: none has any.
  std::vector<double> radius, half_thickness;
  Meetings meetings;
};

/// What contact adds to the ledger.
struct ContactBooks {
  double work = 0.0, dissipated = 0.0;  ///< J
  double booked = 0.0;                  ///< of both, what no motion did: as Ledger::booked

  void let_go(double energy) { dissipated += energy, booked -= energy; }
};

/// Five kinds of contact, numbered one after the other in ContactKey::kind: points of bodies with each
/// collider, points of bodies with each body's skin, points of each collider with each skin, edges of bodies
/// with each other, and edges of each collider with those of bodies.
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
  void clear_impulse() { impulse_.setZero(mass_.size()); }
  /// While it is true, steps look for rest: colliders stand where they are when a step begins, nothing is
  /// eased, and gaps are always those of the geometry.
  void stand_still(bool still) { still_ = still; }

  /// Looks at the true geometry with the step's end at x. True when that changed the forces at x. Directions
  /// are left alone after some rounds, so that a point that rests in a crease of a mesh does not make them
  /// flip for ever.
  bool update_correction(const Chord& chord, const Vector& x) override;

  bool has_walls() const { return input_.settings.wall; }
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
    if (skins_.empty() || state.coupled == coupled_) return;
    coupled_ = state.coupled;
    pairs_changed_ = true;
  }

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
  int collider_count() const { return int(colliders_.size()); }
  int skin_count() const { return int(skins_.size()); }
  bool with_collider(const ContactKey& key) const { return key.kind < collider_count(); }
  /// The skin of a point's contact with one, and the collider whose point or edge it is that meets it or -1.
  const Skin& skin_of(const ContactKey& key) const {
    return skins_[(key.kind - collider_count()) % skin_count()];
  }
  int edge_kind() const { return collider_count() + skin_count() * (collider_count() + 1); }
  bool of_edges(const ContactKey& key) const { return key.kind >= edge_kind(); }
  int pricking_collider(const ContactKey& key) const {
    return of_edges(key) ? key.kind - edge_kind() - 1 : (key.kind - collider_count()) / skin_count() - 1;
  }
  /// The point of its own body that a contact with a skin is of, or -1.
  int own_point(const ContactKey& key) const;
  /// The carried point of a number, or null for a point of a body.
  const CarriedPoint* carried(int i) const {
    const int points = int(mass_.size() / 3);
    return i < points ? nullptr : &input_.carried[i - points];
  }
  Vec3 place_of(int i, const Vector& x) const;
  /// A body's point that stands for i where only a rough value matters.
  int anchor(int i) const { return carried(i) ? carried(i)->corners[0] : i; }
  double multiplier(const std::vector<double>& by_point, int i) const;
  double radius_of(int i) const { return input_.radius.empty() ? 0.0 : multiplier(input_.radius, i); }

  // Who meets whom and how near, in ContactRules.cpp.
  /// Which triangles of a skin each kind of point meets, and then each collider; empty: all.
  std::vector<MetTriangles> met_triangles(const Skin& skin) const;
  /// The most that the thickness of a contact with a skin or of edges can be, and what it is where they meet.
  double widest(const ContactKey& key) const;
  double thickness(const Contact& contact) const;
  /// What the ends of a body's edge bring to its thickness, at a collider or between bodies; the larger one.
  double edge_radius(const std::array<int, 2>& ends, bool at_collider) const;
  bool meets_collider(int i, int collider) const;
  /// The parts of a skin that a point or a collider meets; null: all.
  const MetTriangles* met_by_point(int i, int skin) const;
  const MetTriangles* met_by_collider(int collider, int skin) const;
  /// What looks for the skin in a contact with one, from where it is at the step's start.
  Seeker seeker(const ContactKey& key, const Vec3& start) const;

  // The search, in ContactSearch.cpp.
  struct Found {
    ContactKey key;
    Distance distance;  ///< at the step's start; not of edges
  };
  double gap_of(const Found& found, Contact contact) const;
  using Memories = std::vector<ContactMemory>;
  void find_at_colliders(const Vector& x, const Vector& v, const Memories& memories);
  void find_at_skins(const Vector& x, const Vector& v, const Memories& memories);
  /// Where a skin may be during the step.
  Eigen::AlignedBox3d reached(int skin, double thickness) const;
  void find_near_skin(int skin, const ContactKey& key, const Vec3& p, double reach, const Memories& memories,
                      std::vector<Found>& out) const;
  bool is_inside(const Contact& contact) const;
  void couple(const Vector& x, const Vector& v, ContactState& state);
  Contact make_contact(const ContactKey& key) const;
  /// Everything that may touch during the step.
  void find(const Vector& x, const Vector& v, double time, double h, const Memories& memories,
            ContactState* state = nullptr, ContactBooks* books = nullptr);
  void list_found(bool first);
  void set_start(Contact& contact, const Vector& x, const Distance* known = nullptr) const;

  bool is_listed(const ContactKey& key) const;
  bool list_farther(const Vector& x);
  /// What meets at the step's end, at x: sets the contact's parts. False where nothing does.
  bool meet(Contact& contact, const Vector& x, Touch& touch) const {
    return of_edges(contact.key) ? meet_edge(contact, touch) : meet_skin(contact, x, touch);
  }
  bool meet_skin(Contact& contact, const Vector& x, Touch& touch) const;
  void look(Contact& contact, const Chord& chord, const Vector& x, Surroundings& near) const;
  void look_at_collider(Contact& contact, const Chord& chord, const Vector& x, Surroundings& near) const;
  /// Takes the pressures of friction from `press_was_` to what was looked up by more or less than all the way
  /// (Aitken): each raises or lowers those around it, so that whole steps may swing back and forth.
  void relax_press();
  double end_gap(const Contact& contact, const Vector& x) const;

  // The wall, in ContactWall.cpp.
  bool move_behind_walls(Vector& x);
  bool is_held(const Contact& contact) const;
  void tell_given_way(const std::vector<int>& points, double time);
  double energy_at_hand(const Vector& v, const ContactState& state) const;
  void set_wall(Contact& contact, const ContactMemory* memory, ContactBooks& books) const;
  double wall_gap(const Contact& contact, const Vec3& at, Vec3& normal) const;
  /// Its path potential with the point at `at`, in J; infinite behind it.
  PathPotential along_wall(const Contact& contact, const Vec3& at, Vec3& normal) const;
  void look_at_wall(Contact& contact, const Vec3& at, double share) const;
  Vec3 end_wall(const Contact& contact, const Vec3& at, ContactMemory& memory, ContactBooks& books,
                ContactState& state, bool& touches) const;
  double eased(const Contact& contact, double time) const;
  /// What the gap is above that of the geometry.
  double shift(const Contact& contact, double time) const {
    return eased(contact, time) + contact.offset - contact.radius;
  }
  void change_share(Contact& contact, const ContactMemory& memory, double& gap, ContactBooks& books,
                    double& purse) const;
  void take_booked_gap(Contact& contact, const ContactMemory* memory, ContactBooks& books,
                       double& purse) const;

  // Contacts of edges, in EdgeContacts.cpp. Edges of bodies are numbered over all skins.
  struct BodyEdge {
    int skin, edge;
  };
  BodyEdge body_edge(int number) const;
  std::array<int, 2> edge_points(int number) const;
  struct EdgePair {
    EdgePlace a, b;
  };
  EdgePair edge_pair(const ContactKey& key, bool end) const;
  void find_at_edges(const Vector& x, const Vector& v);
  void find_bodies_edges(int from, int to, const Vector& x, const Vector& v);
  void find_collider_edges(int collider, int skin, const Vector& v);
  void set_edges(Contact& contact, const EdgeCrossing& crossing) const;
  void set_edge_start(Contact& contact, const Vector& x) const;
  bool meet_edge(Contact& contact, Touch& touch) const;
  int end_side(const Contact& contact) const;

  /// Whether springs hold two bodies (or a body and a collider's corners, numbered after the bodies) apart:
  /// where no walls do.
  bool by_springs(int owner, int other) const;

  ContactInput input_;
  std::unique_ptr<PairWalls> pairs_;
  std::vector<Collider> colliders_;
  std::vector<Skin> skins_;
  std::vector<int> skin_of_point_;
  std::vector<int> first_edge_;  ///< of each skin, and the number of all
  /// The largest of each skin's points, at colliders and between bodies.
  std::vector<double> skin_radius_, skin_half_thickness_;
  std::vector<std::vector<MetTriangles>> met_;  ///< by skin, and then by kind of point and by collider
  Vector mass_;
  double gravity_, total_mass_;
  static constexpr int last_wall_round = 60;  ///< after as many looks the wall's balance is booked
  std::vector<char> held_;                    ///< by point; empty: none
  double wall_energy_ = 0.0;                  ///< at hand, as ContactState has it
  Vector trial_;

  double time_ = 0.0, h_ = 0.0, begun_ = 0.0;
  bool still_ = false;
  Vector x0_, impulse_;
  std::vector<Contact> contacts_;  ///< the first `sorted_` ascending by key
  std::size_t sorted_ = 0;
  std::vector<double> clearance_;  ///< how far each listed point may go before it meets something unlisted
  std::vector<std::vector<Found>> found_, found_at_skins_, found_edges_;
  std::vector<Found> listed_;  ///< of each contact while a step begins
  std::vector<double> skin_reach_;
  std::vector<std::array<int, 2>> coupled_;
  bool pairs_changed_ = false;
  std::vector<const ContactMemory*> memory_;  ///< of each contact while a step begins
  std::vector<double> change_, size_;
  std::vector<double> press_was_, press_change_;  ///< before the last look, and what the one before asked for
  double press_relaxation_ = 1.0;
  std::vector<Surroundings> surroundings_;  ///< of each contact's place at the step's end
  int rounds_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace verve
