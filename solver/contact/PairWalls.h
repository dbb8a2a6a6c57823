// Walls between bodies, of bodies against themselves, and of bodies against the corners and edges of
// colliders: points against triangles and edges against edges, so that nothing passes through.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "contact/Collider.h"
#include "contact/Contact.h"
#include "contact/PairSearch.h"

namespace verve {

struct ContactInput;
struct ContactBooks;
class Skin;

/// What acts between two parts, by their distance d: the artist's spring k (T - d)^2 below the thickness T,
/// and below the reach D, half of it, the wall. Under a step it is the path potential of both, whose slope is
/// the mean force.
struct PairLaw {
  double thickness = 0.0, stiffness = 0.0;
  double reach = 0.0, strength = 0.0;
  double share = 1.0;  ///< of both: nearly parallel edges are less of a contact

  double outer() const { return std::max(thickness, reach); }
  double energy(double d) const {
    return share * (wall(strength, reach, d).value + stiffness * spring(d - thickness).value);
  }
  PathPotential along(double from, double to) const {
    const PathPotential w = wall_path(strength, reach, from, to),
                        s = spring_path(from - thickness, to - thickness);
    return {share * (w.value + stiffness * s.value), share * (w.slope + stiffness * s.slope),
            share * (w.curvature + stiffness * s.curvature)};
  }
};

struct WallPair {
  PairFound found;
  PairLaw law;
  double start = 0.0;  ///< the distance at the step's start
  bool free = true;    ///< it was without energy when the step began
  bool gives_way = false;
  /// Lagged, N: what makes the forces of the distance's gradient at the step's end those of its mean
  /// gradient, whose work is what the energy tells.
  Corners correction = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  Contact rub;  ///< friction, with the difference of the nearest places in the place of a point
};

class PairWalls {
 public:
  /// `skins` and `colliders` stay where they are as long as this lives.
  PairWalls(const ContactInput& input, const std::vector<Skin>& skins, const std::vector<Collider>& colliders,
            const Vector& mass, double gravity);

  /// The step begins at x; colliders know where they begin and end.
  ContactBooks begin_step(const Vector& x, const Vector& v, double h, const std::vector<char>& held,
                          bool still, ContactState& state);
  ContactBooks end_step(const Vector& x, double h, Vector& impulse, ContactState& state);
  /// What the forces of the step left of its energy balance is taken from the velocities, or given, by an
  /// impulse in proportion to them; surplus that this leaves is taken from the bodies' motion about their
  /// common centre. What is still left is booked, and owed by `reserve`: later steps take it back.
  ContactBooks close_balance(Vector& v, Vector& impulse, double& reserve) const;

  /// Whether two bodies, or a body and a collider (numbered after the bodies), overlap since the run's start:
  /// until they are free of each other springs hold them, and no wall.
  bool tangled(int owner, int other) const { return tangled_[std::size_t(owner * owners_ + other)] != 0; }

  /// Moves what x has on ways that meet something to where a solution may be looked for. False where no such
  /// place is found.
  bool make_feasible(Vector& x);
  /// Shortens the ways to x, of points that nothing holds, to less than half of what each has of room.
  void hold_back(Vector& x);
  /// The share of a direction that can be gone from x without touching. What may push on the way is listed.
  double largest_step(const Vector& x, const Vector& direction);
  /// Whether the straight ways of the step to x meet nothing.
  bool chord_is_free(const Vector& x);
  /// What the step to x would book, J: the most of any island of bodies, beyond what close_balance() takes
  /// back.
  double surplus(const Vector& x);
  /// And the most that it may, while shorter steps can be had.
  double most_surplus() const { return 1e-3 * energy_; }

  /// Brings what is lagged up to date: friction's pressure and direction, how much of a contact edges are
  /// that have no energy in them, and where the scheme keeps the energy, the corrections.
  bool update_lagged(const Vector& x, bool keeps_energy);
  void follow_slip(const Vector& from, const Vector& to);
  double evaluate(double weight, const Vector& x, Vector* gradient) const;
  void add_hessian(double weight, const Vector& x, double filter, BlockMatrix& hessian) const;

  /// Calls visit(pair of points, ascending) for those that are coupled by pairs which come within `widening`
  /// times their reach on straight ways to `ahead`.
  void for_each_coupled(const Vector& ahead, double widening,
                        FunctionRef<void(const std::array<int, 2>&)> visit);
  /// The same for those that push at x.
  void for_each_pressed(const Vector& x, FunctionRef<void(const std::array<int, 2>&)> visit) const;
  const std::vector<WallPair>& pairs() const { return pairs_; }
  std::vector<std::string> take_warnings() { return std::move(warnings_); }

 private:
  using Boxes = std::vector<Eigen::AlignedBox3d>;
  bool of_body(int p) const { return p < points_; }
  Vec3 start_place(int p) const {
    return of_body(p) ? Vec3(point(x0_, p)) : outside_[0][std::size_t(p - points_)];
  }
  Vec3 place(const Vector& x, int p) const {
    return of_body(p) ? Vec3(point(x, p)) : outside_[1][std::size_t(p - points_)];
  }
  Corners start_corners(const PairFound& f) const;
  Corners corners(const Vector& x, const PairFound& f) const;
  bool meet(const PairFound& f) const;
  void find_all(const Boxes& boxes);
  /// Searches where all of `to` is not covered by the last search.
  void cover(const Vector& from, const Vector& to);
  void list(const PairFound& f);
  bool gives_way(const PairFound& f) const;
  void visit_couplings(const PairFound& f, FunctionRef<void(const std::array<int, 2>&)> visit) const;
  PairLaw full_law(const PairFound& f) const;
  double half_thickness(int owner, const int* points, int count, bool other_outside) const;
  void set_law(WallPair& pair, const PairMemory* memory, double h, ContactBooks& books) const;
  double strength(const WallPair& pair) const;
  static double share_of(const Corners& edges);
  void set_friction(WallPair& pair, const PairPlace& at, double push) const;
  Corners push_on(const WallPair& pair, const PairPlace& at) const;
  void gather_open(const Vector& x);
  double closing_time(double with, double square, double open) const;
  double correct(WallPair& pair, const PairPlace& at, const Corners& x1, double slope) const;
  void look_for_tangles(const Vector& x, bool first, ContactState& state);
  struct Meeting {
    const PairFound* found;
    double share;
  };
  void find_meetings(const Vector& x, std::vector<Meeting>& out);
  void part(const PairFound& f, double share, Vector& x) const;
  bool move_together(Vector& x, std::vector<Meeting>& meetings);

  const ContactInput& input_;
  const std::vector<Skin>& skins_;
  const std::vector<Collider>& colliders_;
  const Vector& mass_;
  double gravity_, total_mass_;
  int points_ = 0, owners_ = 0;
  std::vector<int> first_outside_;                  ///< of each collider, among points that no body has
  std::vector<std::array<int, 2>> outside_vertex_;  ///< collider and vertex
  std::array<std::vector<Vec3>, 2> outside_;        ///< where they are at the step's start and end
  std::vector<Vec3> rest_;
  std::vector<double> edge_;  ///< by owner: the mean one
  double reach_ = 0.0;        ///< the largest there is
  std::unique_ptr<PairSearch> search_;

  Vector x0_, v0_;
  double h_ = 0.0, floor_ = 0.0, energy_ = 0.0;
  bool still_ = false, keeps_energy_ = false;
  std::vector<char> held_, tangled_;
  Boxes boxes_;
  std::vector<PairFound> found_;
  std::vector<double> nearest_;
  std::vector<WallPair> pairs_;
  Vector push_;               ///< of all pairs in the last step, N
  std::vector<double> open_;  ///< by island of bodies: the energy that came from nowhere in it, J
  std::vector<int> island_;   ///< by owner
  std::unordered_map<std::uint64_t, int> number_;
  int rounds_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace verve
