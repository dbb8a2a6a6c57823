// Polygon file format: .ply surfaces, text and binary of both byte orders.
#pragma once

#include <string>

#include "formats/MeshFile.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// Reads points and faces; other elements and properties are passed over.
MeshFile read_ply(const std::string& path);
/// Writes double precision, binary or text.
void write_ply(const std::string& path, const TriangleMesh& mesh, bool binary = true);

}  // namespace verve
