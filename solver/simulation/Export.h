// Frames as geometry: what artists see of a state.
#pragma once

#include "geometry/Geometry.h"
#include "simulation/Simulation.h"

namespace verve {

/// What is shown of bodies that carry a skin.
enum class ExportSurface { cage, skin };

/// All bodies in one geometry: tets and polygons, P and v, the body each point belongs to (name), the rest
/// shape, and the frame's ledger as detail attributes. With `skin`, bodies that carry one are that surface
/// with its own attributes instead of their tets; a name that its points already have stays.
Geometry export_frame(const Scene& scene, const Vector& x, const Vector& v, const FrameReport& report,
                      ExportSurface surface = ExportSurface::cage);

/// Puts the frame's ledger on a geometry as detail attributes.
void put_ledger(Geometry& geometry, const FrameReport& report);

}  // namespace verve
