// Hamilton-Pontryagin steps at the ends of alpha, where nothing has to be solved.
#pragma once

#include "integrator/Integrator.h"

namespace verve {

/// alpha = 0: kick, then drift (symplectic Euler); alpha = 1: drift, then kick, as the Lilyan has no elastic
/// term. Stable up to stable_step().
std::unique_ptr<Integrator> make_explicit_hp(System& system, bool drift_first,
                                             const DampingSettings& damping);

}  // namespace verve
