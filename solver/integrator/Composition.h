// Higher order from a symmetric scheme of order 2.
#pragma once

#include "integrator/Integrator.h"

namespace verve {

/// Suzuki's composition of order 4: five steps of 0.41, 0.41, -0.66, 0.41, 0.41 times h. It keeps what each
/// of them keeps: AVF's energy, the symplecticity of HP and the midpoint rule.
std::unique_ptr<Integrator> compose_order4(std::unique_ptr<Integrator> base);

}  // namespace verve
