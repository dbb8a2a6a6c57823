// What a one-sided spring does along a whole step, in closed form.
#pragma once

namespace verve {

/// A function of the gap at a step's end, with its first two derivatives.
struct PathPotential {
  double value = 0.0, slope = 0.0, curvature = 0.0;
};

/// The repulsion spring phi(s) = min(s, 0)^2 of unit stiffness; s is the gap, negative in contact (m).
PathPotential spring(double s);

/// The G whose derivative in b is the average force of that spring while the gap goes evenly from a to b:
/// G' = (phi(b) - phi(a)) / (b - a). Added to a step's function it makes the spring keep the energy exactly.
/// Convex, with 0 <= G'' <= 1.
PathPotential spring_path(double a, double b);

/// A barrier on the distance d > 0 between two parts of bodies, for d below the thickness t:
/// phi(d) = (t - d)^2 t / d. It is the repulsion spring at first touch and infinite at d = 0.
PathPotential barrier(double t, double d);

/// Its average along a step, as for the spring. Infinite for b <= 0.
PathPotential barrier_path(double t, double a, double b);

}  // namespace verve
