// Between bare meshes and geometry with attributes.
#pragma once

#include "formats/MeshFile.h"
#include "geometry/Geometry.h"

namespace verve {

/// Points, tets, and polygons as fans of triangles; poly lines and attributes are passed over.
MeshFile mesh_of(const Geometry& geometry);

/// Tets and triangles with P in double precision.
Geometry geometry_of(const MeshFile& mesh);

/// Reads any file of a mesh, surface or geometry, with whatever attributes the format has. What had to be
/// left out is appended to `warnings`, with the file's name.
Geometry load_geometry(const std::string& path, std::vector<std::string>& warnings);

}  // namespace verve
