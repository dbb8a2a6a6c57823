// The parts of a body that hang together.
#pragma once

#include <vector>

#include "simulation/Scene.h"

namespace verve {

/// The part that each point of a body belongs to, numbered from 0 in the order of their first points: what
/// elements, faces or lines join is one. Points that nothing joins count as of the first part.
std::vector<int> parts_of(const Body& body);

/// The body that each piece of the system is of; compile() makes pieces of the bodies' parts.
std::vector<int> bodies_of_pieces(const Scene& scene, const System& system);

}  // namespace verve
