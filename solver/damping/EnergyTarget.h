// Energy as the artist wants it: lost at a given rate, or held.
#pragma once

#include "system/State.h"

namespace verve {

/// Follows the ledger rather than a damping model. The mechanical energy (kinetic + elastic + contact) is led
/// towards a target by scaling the inner motion of each free piece; its rigid motion, and so its momenta,
/// stay. Energy that pins and colliders bring in is the artist's own and moves the target with it.
struct EnergyTargetSettings {
  enum class Kind {
    none,
    decay,  ///< lose the share `loss` of the energy every second, on top of any damping
    hold,   ///< keep the energy at `value` joules
  };
  Kind kind = Kind::none;
  double loss = 0.0;   ///< in [0, 1)
  double value = 0.0;  ///< J
  /// The largest change of the inner speed in one step, as a share: what cannot be reached stays for later
  /// steps.
  double most = 0.1;
};

/// Throws an Error for values that make no sense.
void check(const EnergyTargetSettings& settings);

/// Call after each step of h seconds with the energies of the state. Removed energy is booked as dissipated,
/// added energy (only by `hold`, and never beyond the target) as work. Returns the energy that is still
/// missing to the target (J).
double follow_energy_target(const System& system, const EnergyTargetSettings& settings, double h,
                            const EnergyLevels& levels, State& state);

}  // namespace verve
