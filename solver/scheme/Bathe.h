// Bathe's composite method (Bathe 2007): the trapezoidal rule over the first half of the step, the
// three-point backward formula v1 = (3 x1 - 4 x_half + x0)/h over the whole. Of order 2, and dissipative.
#pragma once

#include "integrator/Integrator.h"

namespace verve {

std::unique_ptr<Integrator> make_bathe(System& system, const IntegratorSettings& settings);

}  // namespace verve
