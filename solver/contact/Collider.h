// Scene geometry that bodies collide with, still or moving.
#pragma once

#include <functional>
#include <string>

#include "contact/Shape.h"

namespace verve {

/// What the artist says about a collider. Of `shape` and `mesh` one is given.
struct ColliderSpec {
  std::string name;              ///< what messages call it
  std::shared_ptr<Shape> shape;  ///< in the frame that `pose` places
  /// The rigid motion of that frame, by time (s); none: it stays at the origin.
  std::function<Eigen::Isometry3d(double time)> pose;
  double stiffness = 2000.0;  ///< k of the energy k s^2 of a point at depth -s; N/m
  double thickness = 0.0;     ///< how far outside the surface contact begins, m
  double static_friction = 0.0, dynamic_friction = 0.0;  ///< Coulomb's coefficients
  unsigned group = ~0u;  ///< it meets points that share a bit with it
};

/// What lies between a collider and a point that goes from one place to another during a step.
struct Touch {
  double start = 0.0, end = 0.0;  ///< gap (distance less thickness) at the step's start and end
  double middle = 0.0;            ///< and at the place that the normal belongs to
  double moved = 0.0;             ///< the part of end - start that the collider's own motion makes
  Vec3 normal = Vec3::Zero();     ///< where the contact sits on the way
  Vec3 slide = Vec3::Zero();      ///< how far the surface moves there
};

class Collider {
 public:
  explicit Collider(ColliderSpec spec);

  const ColliderSpec& spec() const { return spec_; }
  bool moves() const { return moves_; }

  /// Sets the times between which touch() looks.
  void begin_step(double start, double end);

  /// The gap of a point at the step's start or end; any value above `limit` when it is not below.
  double start_gap(const Vec3& p, double limit) const { return gap(start_, p, limit).value; }
  double end_gap(const Vec3& p, double limit) const { return gap(end_, p, limit).value; }
  Distance start_surface(const Vec3& p) const;

  /// `where` from 0 to 1 is the place along the way at which the normal is wanted; negative: where the force of the
  /// repulsion spring is on average.
  Touch touch(const Vec3& from, const Vec3& to, double where) const;

  /// How far the collider's surface near p moves during the step at most.
  double motion(const Vec3& p) const;

 private:
  struct Placed {
    const Shape* shape;
    Eigen::Isometry3d pose;
  };
  Distance gap(const Placed& placed, const Vec3& p, double limit) const;

  ColliderSpec spec_;
  Placed start_, end_;
  bool moves_ = false;
};

}  // namespace verve
