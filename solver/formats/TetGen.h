// TetGen's pairs of .node and .ele files.
#pragma once

#include <string>

#include "formats/MeshFile.h"
#include "mesh/TetMesh.h"

namespace verve {

/// `path` names either file; the other has the same name but for its ending.
MeshFile read_tetgen(const std::string& path);
void write_tetgen(const std::string& path, const TetMesh& mesh);

}  // namespace verve
