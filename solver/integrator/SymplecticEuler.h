// The explicit scheme: kick, then drift (HP with alpha = 0).
#pragma once

#include "integrator/Integrator.h"

namespace verve {

std::unique_ptr<Integrator> make_symplectic_euler(System& system);

}  // namespace verve
