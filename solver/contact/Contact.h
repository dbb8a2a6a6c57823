// One contact: a one-sided spring between a point of a body and something else.
#pragma once

#include "contact/ContactState.h"
#include "contact/PathPotential.h"
#include "contact/WallPotential.h"
#include "energy/Energy.h"

namespace verve {

/// During the minimisation a contact is linear: its gap at the step's end is
///   b(x) = end + slope normal.(sum_i weight_i x_i - place).
/// Normal, weights and the rest are taken from the true geometry again and again until they agree with x;
/// with the correction the contact then changes the energy by exactly the change of its potential (a discrete
/// gradient). Where that does not settle, and between deforming bodies, the contact is booked instead: normal
/// and weights are held, and the linear gap itself goes on into the next step. The energy is kept as exactly;
/// what the linear gap misses of the true one becomes `offset`, which fades.
struct Contact {
  enum class Law {
    spring,    ///< k min(s, 0)^2, s the gap
    attached,  ///< k s^2, on both sides (the AVF paper's rule)
  };

  ContactKey key;
  Law law = Law::spring;
  int points = 1;
  std::array<int, 4> point{};
  std::array<double, 4> weight{1.0, 0.0, 0.0, 0.0};
  double stiffness = 0.0;
  /// Of the stiffness: contacts of edges fade where they are none, colliders have softer places. Held during
  /// the step; the other is what it has become at the end of it.
  double share = 1.0, end_share = 1.0;
  double grip = 1.0;  ///< multiplies both frictions, as the collider's surface does there
  double static_friction = 0.0, dynamic_friction = 0.0;

  double start = 0.0, end = 0.0;  ///< gap at the step's start, and at its end where sum weight x = place
  double moved = 0.0;             ///< the part of their difference that the outside's motion makes
  Vec3 normal = Vec3::Zero(), start_normal = Vec3::Zero();
  double slope = 1.0;
  Vec3 before = Vec3::Zero(),
       place = Vec3::Zero();       ///< sum weight x at the step's start and where it was looked at
  Vec3 slide = Vec3::Zero();       ///< how far the outside's surface moves
  Vec3 correction = Vec3::Zero();  ///< force, N

  bool through = false;  ///< the point passed right through, against a spring that ends with the step

  double press = 0.0;           ///< the normal force that friction goes by, N
  Vec3 stretch = Vec3::Zero();  ///< of the bristle at the step's start
  bool slides = false;
  /// The direction of slip as a variable of its own, at most 1 long, of friction's Hessian (Chan, Golub and
  /// Mulet 1999).
  Vec3 dual = Vec3::Zero();
  /// The repulsion as a variable of its own (N), as the last iteration's linear model had it; below 0 before
  /// there is one.
  double push = -1.0;
  int side = 0;  ///< of a sheet, on which the point is: 1 or -1; 0 before that is known
  double overlap = 0.0;
  bool booked = false;
  double offset = 0.0;         ///< the gap less that of the geometry, m
  double radius = 0.0;         ///< of a point at a collider, m
  Wall wall;                   ///< behind the spring
  bool wall_overcome = false;  ///< it had to begin anew in this step

  /// The gap's derivative in sum weight x.
  Vec3 gradient() const { return slope * normal; }

  /// Makes the gap change along the step by what the normal sees of the motion, by `outside` (what it sees of
  /// the other side's own motion) and by `shifted`, and by nothing else. The slope is chosen, within limits,
  /// so that at the place `at` the gap is `wanted`.
  void book(const Vec3& at, double wanted, double outside, double shifted) {
    booked = true;
    correction.setZero();
    place = at;
    const double seen = normal.dot(at - before) + outside, change = wanted - start - shifted;
    slope = change * seen > 0.0 ? std::min(2.0, std::max(0.5, change / seen)) : 1.0;
    moved = shifted + slope * outside;
    end = start + shifted + slope * seen;
  }

  Vec3 gather(const Vector& x) const {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < points; ++i) sum += weight[i] * verve::point(x, point[i]);
    return sum;
  }
  /// The place of a triangle with such weights of its corners, after the point that meets it unless that is
  /// not part of any body.
  void set_triangle(const std::array<int, 3>& corners, const Vec3& weights, bool alone) {
    const int first = alone ? 0 : 1;
    points = first + 3;
    weight[0] = 1.0;
    for (int k = 0; k < 3; ++k) point[first + k] = corners[k], weight[first + k] = -weights[k];
  }
  /// The places of two edges; the first alone is not part of any body where `first` is null.
  void set_edges(const std::array<int, 2>* first, double s, const std::array<int, 2>& second, double t) {
    points = 0;
    const auto add = [this](int p, double w) { point[points] = p, weight[points++] = w; };
    if (first) add((*first)[0], 1.0 - s), add((*first)[1], s);
    add(second[0], t - 1.0), add(second[1], -t);
  }
  double gap(const Vec3& at) const { return end + slope * normal.dot(at - place); }

  /// The potential at a gap, in J.
  PathPotential potential(double s) const;
  /// And with the stiffness that it has at the step's end.
  double end_potential(double s) const {
    Contact there = *this;
    there.share = end_share;
    return there.potential(s).value;
  }
  /// The chord's sum of potentials as a function of the gap at its end (in J s^2).
  PathPotential along(const Chord& chord, double b) const;
  /// The repulsion averaged along the chord (N, negative: it pushes towards the normal).
  double force(const Chord& chord, double b) const;

  /// Coulomb's friction as a bristle of stiffness k that gives way at friction times press: a potential of
  /// the place at the step's end.
  struct Friction {
    double value = 0.0;
    Vec3 force = Vec3::Zero();
    Mat3 stiffness = Mat3::Zero();
  };
  Friction friction(const Vec3& at) const;
  /// The curvature of along() for Newton's method. A point that lands meets a force that grows as the square
  /// of its depth, in which Newton's method halves what is left; the secant towards where the spring has the
  /// force of the last linear model gets there at once.
  double curvature(const Chord& chord, double b) const;
  /// Lets `push` follow an iteration that brought the gap from one value to another.
  void follow_push(const Chord& chord, double from, double to);
  /// Where the force at the gap `to` is far above what the Hessian foresaw from `from`, takes it for `push`:
  /// the next direction then holds the contact there, and finds the force that it needs. True when it did.
  bool foresee(const Chord& chord, double from, double to);
  /// Lets the dual follow a Newton iteration that moved the sum from one place to the next.
  void follow_slip(const Vec3& from, const Vec3& to);
  /// The bristle's stretch with the sum at `at`, before it gives way; and the most that it can stand.
  Vec3 bristle(const Vec3& at) const;
  double bristle_limit() const {
    return share > 0.0 ? grip * (slides ? dynamic_friction : static_friction) * press / rigidity() : 0.0;
  }
  double bristle_energy(const Vec3& e) const { return 0.5 * rigidity() * e.squaredNorm(); }
  double rigidity() const { return share * stiffness; }
};

}  // namespace verve
