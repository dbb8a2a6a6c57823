// The wall behind the repulsion spring: a barrier near a surface, and what it does along a whole step.
#pragma once

#include "base/Types.h"
#include "contact/PathPotential.h"

namespace verve {

/// The barrier B(d) = k (D - d)^2 / (d D) below D, with k the strength (J) and D the reach (m): it grows as
/// 1/d, so that the average of its force over a step that ends on the surface is infinite as well. Of a
/// logarithm's it would be finite, and an averaging integrator would pass it.
PathPotential wall(double strength, double reach, double d);

/// The G whose derivative in b is the mean force of that barrier while the gap goes evenly from a to b:
/// G' = (B(b) - B(a)) / (b - a). Convex in b; `b` must be above 0.
PathPotential wall_path(double strength, double reach, double a, double b);

/// The wall of one point against one collider, during one step.
struct Wall {
  double strength = 0.0, reach = 0.0;  ///< 0: there is none
  /// What the gap is above the distance, at the step's start and end: more than 0 while a point that began
  /// too near is eased out, which takes 1/`rate` seconds for each metre.
  double shift = 0.0, end_shift = 0.0, rate = 0.0;
  double start = 0.0;  ///< gap at the step's start
  /// Where the collider would carry the point by its own motion, and the gap there at the step's end.
  Vec3 carried = Vec3::Zero();
  double carried_gap = 0.0;
  Vec3 correction = Vec3::Zero();  ///< force, N, that makes the work of a curved wall what its energy tells
  bool gives_way = false;          ///< for this step: what is asked of the point cannot all be had

  bool stands() const { return strength > 0.0 && !gives_way; }
  PathPotential along(double b) const { return wall_path(strength, reach, start, b); }
  double energy(double d) const { return wall(strength, reach, d).value; }
};

}  // namespace verve
