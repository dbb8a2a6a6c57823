// BDF2, the backward formula over two steps of any size: x1 = a x0 - b x_before + c h v1 and the same for v,
// with w = h/h_before, a = (1 + w)^2/(1 + 2 w), b = w^2/(1 + 2 w), c = (1 + w)/(1 + 2 w). Of order 2, and
// dissipative.
#pragma once

#include "integrator/Integrator.h"

namespace verve {

std::unique_ptr<Integrator> make_bdf2(System& system, const IntegratorSettings& settings);

}  // namespace verve
