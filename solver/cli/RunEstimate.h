// About how long a run will take, said before it begins.
#pragma once

#include <string>

#include "simulation/Scene.h"

namespace verve {

/// A sentence with the time that `frames` frames may take and what shortens it; empty for runs of less than a
/// minute, and for integrators whose steps go by stability instead of the motion.
std::string run_estimate(const Scene& scene, int frames, int threads);

}  // namespace verve
