// A simulated frame as attributes of the input's points and primitives.
#pragma once

#include "node/NodeSimulation.h"

namespace verve {

/// See NodeResult::geometry. `now` are the inputs of the frame that is shown: points that are not simulated
/// stay where they have them.
Geometry export_node(const NodeSimulation& simulation, const NodeInputs& now, const NodeState& state);

/// Puts every attribute of `from` on `to`, which has the same points and primitives.
void put_attributes(Geometry& to, const Geometry& from);

}  // namespace verve
