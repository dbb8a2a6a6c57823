// Object file format: .off surfaces, as text.
#pragma once

#include <string>

#include "formats/MeshFile.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// Colours and normals are passed over.
MeshFile read_off(const std::string& path);
void write_off(const std::string& path, const TriangleMesh& mesh);

}  // namespace verve
