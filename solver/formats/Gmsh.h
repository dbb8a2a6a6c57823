// Gmsh .msh files: versions 2 and 4, text and binary.
#pragma once

#include <string>

#include "formats/MeshFile.h"
#include "mesh/TetMesh.h"

namespace verve {

/// Reads tets and triangles; points and lines, which only mark the geometry's parts, are passed over with the
/// nodes that nothing else uses. Other volumes and curved elements are Errors: the solver could not simulate
/// them.
MeshFile read_gmsh(const std::string& path);

/// Writes version 2.2, as text that reads back to the same bits or as binary.
void write_gmsh(const std::string& path, const TetMesh& mesh, bool binary = false);

}  // namespace verve
