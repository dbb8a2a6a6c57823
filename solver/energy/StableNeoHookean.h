// Stable neo-Hookean flesh (Smith, de Goes and Kim 2018): finite under every deformation, inversion included.
#pragma once

#include "energy/Material.h"

namespace verve {

/// w = m/2 (I1 - 3) + l/2 (J - a)^2 - m/2 ln(I1 + 1), less its value at rest, with m = 4/3 mu and
/// l = lambda + 5/6 mu so that small strains follow Hooke's law with (mu, lambda).
struct StableNeoHookean {
  static constexpr bool resists_inversion = false;
  static constexpr bool quartic = false;
  static constexpr bool has_volume_term = true;

  static Density at(const Strain& e, Pack mu, Pack lambda) {
    const Pack m = (4.0 / 3.0) * mu, l = lambda + (5.0 / 6.0) * mu, a = 1.0 + 0.75 * m / l;
    const Pack j = e.volume, i = 4.0 + 2.0 * e.trace;  // I1 + 1
    const Pack value =
        m * e.trace + 0.5 * l * ((j - a) * (j - a) - (1.0 - a) * (1.0 - a)) - 0.5 * m * log(0.25 * i);
    return {value, 0.5 * m * (1.0 - 1.0 / i), 0.5 * m / (i * i), 0.0, l * (j - a), l};
  }
};

}  // namespace verve
