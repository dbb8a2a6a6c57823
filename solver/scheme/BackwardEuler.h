// Backward Euler: x = argmin 1/2 |x - (x0 + h v0)|^2_M + h^2 E(x), v = (x - x0)/h. Of order 1, and
// dissipative.
#pragma once

#include "integrator/ChordScheme.h"

namespace verve {

inline ChordScheme backward_euler_scheme() {
  return {0.0, {{1.0, 1.0}}, ChordScheme::Closing::chord, false, false};
}

}  // namespace verve
