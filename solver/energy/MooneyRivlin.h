// A compressible Mooney-Rivlin rubber (Hamilton-Pontryagin paper, section 5.1).
#pragma once

#include "energy/Material.h"

namespace verve {

/// w = a1 (I1 - 3) + b1 (I2 - 3) + l/2 (J - 1)^2 - 2 (a1 + 2 b1) ln J: the paper's two terms, a resistance to
/// change of volume, and the logarithm that makes the rest shape free of stress. a1 + b1 = mu/2 and
/// l = lambda - 4 b1, so that small strains follow Hooke's law with (mu, lambda). a1 : b1 = 3 : 1 (typical of
/// rubber), but b1 is at most lambda/4: a negative l would set energy free where elements swell, without end.
struct MooneyRivlin {
  static constexpr bool resists_inversion = true;
  static constexpr bool quartic = false;
  static constexpr bool has_volume_term = true;

  static Density at(const Strain& e, Pack mu, Pack lambda) {
    const Pack b1 = min(0.125 * mu, 0.25 * lambda), a1 = 0.5 * mu - b1;
    const Pack l = lambda - 4.0 * b1, c = 2.0 * (a1 + 2.0 * b1);
    const Pack j = e.volume;
    const LogVolume ln(j);
    const Pack value = 2.0 * a1 * e.trace + b1 * (4.0 * e.trace + 2.0 * (e.trace * e.trace - e.squared)) +
                       0.5 * l * (j - 1.0) * (j - 1.0) - c * ln.value;
    return {value, a1 + b1 * (3.0 + 2.0 * e.trace), 0.0,
            b1,    l * (j - 1.0) - c * ln.slope,    l - c * ln.curvature};
  }
};

}  // namespace verve
