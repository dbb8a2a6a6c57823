// Where in a step a resistance looks at the velocity, so that it slows and never turns motion round.
#pragma once

#include <algorithm>
#include <cmath>

namespace verve {

/// The share of the velocity at the step's end in v0 + theta (v1 - v0) with which v1 - v0 = -a v_theta
/// |v_theta| / |v0| comes to v1 = v0 / (1 + a), the solution of v' = -c |v| v with a = c |v0| h.
inline double theta_of_drag(double a) {
  return a < 1e-6 ? 0.5 + a / 8.0 : (1.0 + a - std::sqrt(1.0 + a)) / a;
}

/// The same for v1 - v0 = -a v_theta and v1 = v0 exp(-a), the solution of v' = -c v with a = c h.
inline double theta_of_damper(double a) {
  return a < 1e-3 ? 0.5 + a / 12.0 : 1.0 / -std::expm1(-a) - 1.0 / a;
}

/// By which multiple of (mean - v0) of the chord's mean velocity that velocity is reached. The mean of a
/// scheme is v0 + beta (v1 - v0), with beta = (the chord's average weight) / h^2; one that looks later than
/// asked for may do so.
inline double beyond_mean(double theta, double average_weight, double h) {
  return std::max(1.0, theta * h * h / average_weight);
}

}  // namespace verve
