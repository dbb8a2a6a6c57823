// From settings to an integrator: the one place that knows every scheme.
#pragma once

#include "integrator/Integrator.h"

namespace verve {

/// Throws an Error for settings that do not go together.
std::unique_ptr<Integrator> make_integrator(System& system, const IntegratorSettings& settings);

}  // namespace verve
