// What a step of a scene adds up beside elastic energies and contact.
#pragma once

#include "simulation/Scene.h"

namespace verve {

/// Pressure, air and attachments. The system's masses and rest positions are known; `x` is its start.
void add_terms(const Scene& scene, const Vector& x, System& system);

}  // namespace verve
