// Higher order from a symmetric scheme of order 2.
#pragma once

#include "integrator/Integrator.h"

namespace verve {

/// Steps of fixed shares of h, some of them backwards, whose errors cancel up to the order. The whole keeps
/// what each of them keeps: AVF's energy, the symplecticity of HP and the midpoint rule. Order 4: Suzuki's
/// five steps; order 6: the nine of Kahan and Li.
std::unique_ptr<Integrator> compose(std::unique_ptr<Integrator> base, int order);

}  // namespace verve
