// Isosurface stuffing: carves a solid out of a lattice of tets.
#pragma once

#include "mesh/Lattice.h"
#include "mesh/TetMesh.h"

namespace verve {

/// Fills the solid whose field the lattice carries, after F. Labelle and J. R. Shewchuk, "Isosurface
/// Stuffing" (SIGGRAPH 2007). Points of the surface lie on the solid's surface; where the lattice is uniform
/// every dihedral angle lies between 10.7 and 164.8 degrees. Same bits at every number of threads.
TetMesh stuff(const Lattice& lattice, const Implicit& solid);

}  // namespace verve
