// Wavefront .obj: polygons and poly lines. Tetrahedra are written as their skin; of the attributes P, uv and
// N stay.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "geometry/Geometry.h"

namespace verve {

/// Texture coordinates (uv) and normals (N) of vertices or points become vt and vn.
std::string write_obj(const Geometry& geometry);
/// Whether the file holds this attribute of the geometry.
bool obj_keeps(const Geometry& geometry, Owner owner, const Attribute& attribute);
/// Points in double precision, faces and lines; texture coordinates and normals become the vertex attributes
/// uv and N where every vertex has them. Everything else is counted in `warnings`.
Geometry read_obj(std::string_view bytes, std::vector<std::string>* warnings);

}  // namespace verve
