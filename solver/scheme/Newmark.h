// Newmark's method with beta = 1/4 and gamma = 1/2, the trapezoidal rule: y = x0 + h v0 - h^2/4 M^-1 grad
// E(x0), x = argmin 1/2 |x - y|^2_M + h^2/4 E(x), v = 2 (x - x0)/h - v0. Of order 2.
#pragma once

#include "integrator/ChordScheme.h"

namespace verve {

inline ChordScheme newmark_scheme() {
  return {0.25, {{1.0, 0.25}}, ChordScheme::Closing::trapezoid, false, true};
}

}  // namespace verve
