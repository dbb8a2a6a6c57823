// Wavefront .obj surfaces.
#pragma once

#include <string>

#include "io/MeshFile.h"

namespace verve {

/// Reads points and faces, polygons as fans of triangles; points keep their order. Texture coordinates,
/// normals, materials and groups are passed over: see rewrite_obj().
MeshFile read_obj(const std::string& path);

void write_obj(const std::string& path, const TriangleMesh& mesh);

/// Copies an .obj file with other positions and normals and everything else as it was: texture coordinates,
/// polygons, materials, groups, colours of points. As many positions as the file has `v` lines; as many
/// normals as `vn` lines.
void rewrite_obj(const std::string& original, const std::string& path, const std::vector<Vec3>& positions,
                 const std::vector<Vec3>& normals);

/// The normals of an .obj file, and for each the first point that a face uses it with (-1: none does).
struct ObjNormals {
  std::vector<Vec3> normals;
  std::vector<int> points;
};
ObjNormals read_obj_normals(const std::string& path);

}  // namespace verve
