// Schemes that look back over two intervals: dissipative, of order 2, for comparison.
#pragma once

#include "integrator/Integrator.h"

namespace verve {

std::unique_ptr<Integrator> make_bdf2(System& system, const IntegratorSettings& settings);
std::unique_ptr<Integrator> make_bathe(System& system, const IntegratorSettings& settings);

}  // namespace verve
