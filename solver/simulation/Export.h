// Frames as geometry: what artists see of a state.
#pragma once

#include "geometry/Geometry.h"
#include "simulation/Simulation.h"

namespace verve {

/// What is shown of bodies that carry a skin.
enum class ExportSurface { cage, skin };

/// What only the state knows of the quantities at points.
struct PointQuantities {
  std::vector<int> touched;  ///< the bodies' points in contact at the frame's end, ascending
};

/// All bodies in one geometry: tets and polygons, P and v, the body each point belongs to (name), the rest
/// shape, and the frame's ledger as detail attributes. With `skin`, bodies that carry one are that surface
/// with its own attributes instead of their tets; a name that its points already have stays. With
/// `quantities`, points also have stress, energydensity and contact, see ElementReport; those of a skin are
/// interpolated. The points of triangles that `intersecting` names (of all bodies, ascending) are a group of
/// that name, where there are any.
Geometry export_frame(const Scene& scene, const Vector& x, const Vector& v, const FrameReport& report,
                      ExportSurface surface = ExportSurface::cage,
                      const PointQuantities* quantities = nullptr, const std::vector<int>& intersecting = {});

/// The points that show a body: those of its skin, or its own. `x` has its degrees of freedom only.
std::vector<Vec3> shown_points(const Body& body, const Vector& x);

/// Puts the frame's ledger on a geometry as detail attributes.
void put_ledger(Geometry& geometry, const FrameReport& report);

}  // namespace verve
