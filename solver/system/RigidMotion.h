// The rigid part of each piece's motion.
#pragma once

#include "system/State.h"

namespace verve {

/// A piece's mass, centre, momenta about the origin and inertia about its centre.
struct RigidMotion {
  double mass = 0.0;
  Vec3 centre = Vec3::Zero(), linear = Vec3::Zero(), angular = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  double kinetic = 0.0;
  bool held = false;  ///< a pin holds one of its points

  /// The angular momentum about the centre.
  Vec3 spin_momentum() const;
  /// The spin that gives angular momentum `l`; a straight line of points has none about itself.
  Vec3 spin(const Vec3& l) const;
  /// The kinetic energy of all but the rigid motion.
  double inner_kinetic() const;
};

std::vector<RigidMotion> rigid_motions(const System& system, const Vector& x, const Vector& v,
                                       const std::vector<int>& held);

/// The kinetic energy of the free points of held pieces.
double held_pieces_kinetic(const System& system, const std::vector<RigidMotion>& pieces, const State& state);

/// Multiplies what is not rigid motion of a piece; for held pieces all motion of their free points.
void scale_inner_motion(const System& system, const std::vector<RigidMotion>& pieces, double scale,
                        State& state);

}  // namespace verve
