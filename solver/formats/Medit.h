// Medit .mesh files, as text.
#pragma once

#include <string>

#include "formats/MeshFile.h"
#include "mesh/TetMesh.h"

namespace verve {

/// Reads tets and triangles; edges, corners, normals and the like are passed over. Other volumes are Errors.
MeshFile read_medit(const std::string& path);
void write_medit(const std::string& path, const TetMesh& mesh);

}  // namespace verve
