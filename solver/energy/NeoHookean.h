// The neo-Hookean solid of the Hamilton-Pontryagin paper, section 5.1, in Bonet and Burton's form.
#pragma once

#include "energy/Material.h"

namespace verve {

/// w = a1 (I1 - 3) + b1 (J - 1)^2 - 2 a1 ln J with a1 = mu/2, b1 = lambda/2. The logarithm, which the paper's
/// short form leaves out, makes the rest shape free of stress; it also resists inversion.
struct NeoHookean {
  static constexpr bool resists_inversion = true;
  static constexpr bool quartic = false;
  static constexpr bool has_volume_term = true;

  static Density at(const Strain& e, Pack mu, Pack lambda) {
    const Pack j = e.volume;
    const LogVolume ln(j);
    return {mu * e.trace - mu * ln.value + 0.5 * lambda * (j - 1.0) * (j - 1.0),
            0.5 * mu,
            0.0,
            0.0,
            lambda * (j - 1.0) - mu * ln.slope,
            lambda - mu * ln.curvature};
  }
};

}  // namespace verve
