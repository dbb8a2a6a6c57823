// St. Venant-Kirchhoff: quartic in the positions, so that Simpson's rule integrates its force exactly (AVF,
// eq. 2).
#pragma once

#include "energy/Material.h"

namespace verve {

/// w = mu E:E + lambda/2 tr^2 E. Exists inside out, and softens under strong compression.
struct StVK {
  static constexpr bool resists_inversion = false;
  static constexpr bool quartic = true;
  static constexpr bool has_volume_term = false;

  static Density at(const Strain& e, Pack mu, Pack lambda) {
    return {mu * e.squared + 0.5 * lambda * e.trace * e.trace,
            0.5 * (lambda * e.trace - mu),
            0.5 * mu + 0.25 * lambda,
            -0.5 * mu,
            0.0,
            0.0};
  }
};

}  // namespace verve
