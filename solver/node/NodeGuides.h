// Lines that show artists what the geometry does not: who holds points, what is touched, where contact
// begins.
#pragma once

#include "node/NodeSimulation.h"

namespace verve {

/// Open lines of two points each for NodeSettings::guides of `now`; nothing for "none". `points` are the
/// geometry's points that the system's are. Crosses are a hundredth as large as the geometry; those of
/// contact are turned.
Geometry guide_lines(const NodeInputs& now, const NodeState& state, const std::vector<int>& points);

}  // namespace verve
