// Frames as geometry: what artists see of a state.
#pragma once

#include "geometry/Geometry.h"
#include "simulation/Simulation.h"

namespace verve {

/// All bodies in one geometry: tets and polygons, P and v, the body each point belongs to, the rest shape,
/// and the frame's ledger as detail attributes.
Geometry export_frame(const Scene& scene, const State& state, const FrameReport& report);

}  // namespace verve
