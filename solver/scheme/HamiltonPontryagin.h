// Hamilton-Pontryagin steps with alpha inside (0, 1), by minimising the Lilyan (HP paper, section 5.3):
// x = argmin 1/2 |x - (x0 + h M^-1 p0)|^2_M + h^2 (1 - alpha)/alpha E(x0 + alpha (x - x0)),
// p1 = M (x - x0)/h - h alpha grad E(x0 + alpha (x - x0)). Of order 2 for alpha = 1/2, else 1. For alpha 0
// and 1 nothing has to be solved: ExplicitHamiltonPontryagin.h.
#pragma once

#include "integrator/ChordScheme.h"

namespace verve {

inline ChordScheme hp_scheme(double alpha) {
  return {0.0, {{alpha, (1.0 - alpha) / alpha}}, ChordScheme::Closing::momentum, false, alpha == 0.5};
}

}  // namespace verve
