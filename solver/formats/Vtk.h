// VTK's legacy .vtk files, text and binary.
#pragma once

#include <string>

#include "formats/MeshFile.h"
#include "mesh/TetMesh.h"

namespace verve {

/// Reads unstructured grids and polygonal data of versions 1 to 5; fields are passed over.
MeshFile read_vtk(const std::string& path);
/// Writes an unstructured grid as text.
void write_vtk(const std::string& path, const TetMesh& mesh);

}  // namespace verve
