// What contact is made of: rules and numbers, colliders, the surfaces of bodies; and what it adds to the
// ledger.
#pragma once

#include <string>
#include <vector>

#include "contact/Collider.h"
#include "contact/CollisionMatrix.h"
#include "contact/LayerLaw.h"

namespace verve {

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
  CollisionMatrix collision_matrix;
};

/// What contact adds to the ledger.
struct ContactBooks {
  double work = 0.0, dissipated = 0.0;  ///< J
  double booked = 0.0;                  ///< of both, what no motion did: as Ledger::booked

  void let_go(double energy) { dissipated += energy, booked -= energy; }
};

}  // namespace verve
