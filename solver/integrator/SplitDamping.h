// Damping that is split off from the steps of any integrator.
#pragma once

#include "damping/StrainFlow.h"
#include "integrator/Integrator.h"

namespace verve {

/// Half of the damping's own flow, a step of `base`, the other half (Strang's splitting: order 2, and the
/// state is in step with the clock). `base` takes `parts` steps of its own to one of these, which its share
/// of the blend is reckoned from; 0 when it takes no damping at all, and then all of delta is split off.
/// `flow` is for delta and may serve `base` as well; null without it.
std::unique_ptr<Integrator> make_split_damping(const System& system, const IntegratorSettings& settings,
                                               int parts, std::unique_ptr<Integrator> base,
                                               std::shared_ptr<StrainFlow> flow);

}  // namespace verve
