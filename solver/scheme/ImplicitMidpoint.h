// The implicit midpoint rule: x = argmin 1/2 |x - (x0 + h v0)|^2_M + 2 h^2 (1/2) E((x0 + x)/2), v = 2 (x -
// x0)/h - v0. Of order 2 and symplectic; the same as HP with alpha 1/2 (HP paper, section 5.2).
#pragma once

#include "integrator/ChordScheme.h"

namespace verve {

inline ChordScheme implicit_midpoint_scheme() {
  return {0.0, {{0.5, 1.0}}, ChordScheme::Closing::trapezoid, false, true};
}

}  // namespace verve
