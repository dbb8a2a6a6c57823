// What an integrator advances: masses, energies and loads on one set of points.
#pragma once

#include <memory>
#include <vector>

#include "constraint/Constraint.h"
#include "constraint/TargetEnergy.h"
#include "energy/Energy.h"
#include "system/Term.h"

namespace verve {

class Contacts;
struct ContactInput;

/// Bodies compiled for the hot loops. Constant during a run but for scratch inside the energies.
struct System {
  Vector rest;  ///< rest positions, where known; helps the linear solvers
  Vector mass;  ///< kg, a value per degree of freedom (a point's three are equal), all positive
  Vec3 gravity = Vec3::Zero();
  std::vector<int> piece;  ///< which body each point belongs to
  int pieces = 0;
  std::vector<std::unique_ptr<Energy>> elastic;
  std::vector<std::unique_ptr<Term>> terms;  ///< everything else that a step adds up
  TargetEnergy targets;
  ConstraintSet constraints;
  std::shared_ptr<Contacts> contacts;          ///< none: nothing collides
  std::shared_ptr<const ContactInput> layers;  ///< what collides instead under the asynchronous integrator

  /// Filled by finish().
  Vector weight;  ///< the force of gravity, N per degree of freedom
  std::shared_ptr<const BlockPattern> pattern;

  int points() const { return int(mass.size() / 3); }
  /// Call once masses, gravity and energies are complete, and again when contacts couple other points: the
  /// pattern is then another one.
  void finish();

  /// Everything with a potential but gravity: elastic energies, targets, terms and contacts.
  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const;
  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const;
};

}  // namespace verve
