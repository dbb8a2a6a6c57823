// The average vector field method: M (v1 - v0)/h = -int_0^1 grad E(x0 + s (x1 - x0)) ds, (x1 - x0)/h = (v0 +
// v1)/2, which keeps the total energy as exactly as the quadrature averages the force (AVF paper, section 3
// and appendix B).
#pragma once

#include "energy/Quadrature.h"
#include "integrator/ChordScheme.h"

namespace verve {

/// With weights b_j at places s_j of the rule: y = x0 + h v0 - (b_0/2) h^2 M^-1 grad E(x0) for the node at s
/// = 0, and a sample of weight h^2 b_j/(2 s_j) for each other.
inline ChordScheme avf_scheme(const Quadrature& rule) {
  ChordScheme scheme{0.0, {}, ChordScheme::Closing::trapezoid, true, true};
  for (const QuadratureNode& node : rule) {
    if (node.s == 0.0)
      scheme.start += 0.5 * node.weight;
    else
      scheme.samples.push_back({node.s, 0.5 * node.weight / node.s});
  }
  return scheme;
}

}  // namespace verve
