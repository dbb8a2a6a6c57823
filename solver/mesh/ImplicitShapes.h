// Solids given by formulas: the body shapes of scenes that need no file.
#pragma once

#include <memory>

#include "mesh/Mesher.h"

namespace verve {

using Solid = std::unique_ptr<Implicit>;

/// All are centred at the origin, y is up, lengths are in metres; sizes that make no sense are Errors.
Solid sphere_solid(double radius);
/// A ring in the xz plane: `radius` to the middle of the tube, `tube` from there to the surface.
Solid torus_solid(double radius, double tube);
/// A trefoil knot around the y axis whose middle line stays within `radius` of it.
Solid knot_solid(double radius, double tube);
/// A ball with five limbs that reach to half of `size` from the middle.
Solid blob_solid(double size);
/// A sitting hare that looks along x, `height` metres from its feet to the tips of its ears.
Solid hare_solid(double height);

/// The same as tets; `spacing` is the length of the longest edges inside. The report, when given, tells of
/// parts that were too thin for the spacing.
TetMesh make_sphere(double radius, double spacing, MeshingReport* report = nullptr);
TetMesh make_torus(double radius, double tube, double spacing, MeshingReport* report = nullptr);
TetMesh make_knot(double radius, double tube, double spacing, MeshingReport* report = nullptr);
TetMesh make_blob(double size, double spacing, MeshingReport* report = nullptr);
TetMesh make_hare(double height, double spacing, MeshingReport* report = nullptr);

}  // namespace verve
