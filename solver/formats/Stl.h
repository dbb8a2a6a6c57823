// Stereolithography .stl surfaces, text and binary.
#pragma once

#include <string>

#include "formats/MeshFile.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// The format repeats the corners of every triangle; corners at exactly the same place become one point
/// again.
MeshFile read_stl(const std::string& path);
/// Writes the binary kind, whose coordinates are single precision.
void write_stl(const std::string& path, const TriangleMesh& mesh);

}  // namespace verve
