// The door to every mesh and surface file; the format follows from the name's ending.
#pragma once

#include <string>
#include <vector>

#include "formats/MeshFile.h"
#include "mesh/TetMesh.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// Whether files of that name's ending may carry attributes, which load_geometry() keeps.
bool has_attributes(const std::string& path);

/// Reads whatever a file holds. What had to be left out is appended to `warnings` if it is not null.
MeshFile load_mesh(const std::string& path, std::vector<std::string>* warnings = nullptr);

/// Reads a tet mesh and checks it with require_usable(). Files whose tets are all inside out are turned round
/// with a warning; a file that mixes both is an Error.
TetMesh load_tet_mesh(const std::string& path, std::vector<std::string>* warnings = nullptr);
/// The same for what has been read from `path`.
TetMesh tet_mesh_of(MeshFile file, const std::string& path, std::vector<std::string>* warnings = nullptr);

/// Reads a surface; the outside of the tets when that is all the file has. Indices are within range but the
/// surface may be as dirty as artists make them: see check() and mesh_surface().
TriangleMesh load_triangle_mesh(const std::string& path, std::vector<std::string>* warnings = nullptr);
TriangleMesh triangle_mesh_of(MeshFile file, const std::string& path);

/// Writes a mesh; formats without tets, or without surfaces, are Errors.
void save_tet_mesh(const std::string& path, const TetMesh& mesh);
void save_triangle_mesh(const std::string& path, const TriangleMesh& mesh);

}  // namespace verve
