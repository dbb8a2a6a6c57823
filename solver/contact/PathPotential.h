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

/// The gap at the step's end at which the average force of that spring (positive) is `force`.
double spring_path_gap(double a, double force);

/// The slope of that average force between the gap b and the one at which it is `force`: what a Newton
/// iteration needs as curvature to get from one to the other at once.
double spring_path_secant(double a, double b, double force);

/// Where the mean of the spring's force sits on that way, from 0 to 1.
double force_centre(double a, double b);

}  // namespace verve
