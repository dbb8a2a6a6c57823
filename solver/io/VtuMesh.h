// VTK's .vtu files: unstructured grids in XML.
#pragma once

#include <string>

#include "io/MeshFile.h"

namespace verve {

/// Reads all pieces, with arrays as text, base64 or appended bytes, plain or compressed with zlib. Fields are
/// passed over.
MeshFile read_vtu_mesh(const std::string& path);

}  // namespace verve
