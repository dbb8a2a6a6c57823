// The primitives of a geometry, sorted into pieces that hang together.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "geometry/Geometry.h"

namespace verve {

/// The elements of one piece, by the numbers of its own points.
struct PrimitivePiece {
  std::vector<int> points;  ///< of the geometry, ascending
  std::vector<std::array<int, 4>> tets;
  std::vector<int> tet_primitive;
  std::vector<std::array<int, 3>> triangles;  ///< of polygons
  std::vector<Vec3> warp;                     ///< one a triangle, where the geometry says
  std::vector<std::vector<int>> lines;
  std::vector<double> line_scale;  ///< rest length over that of the rest shape
};

/// Checks each primitive; what can be lived with is said in `warnings`. `rest` has the rest position of each
/// point, `lengths` the rest length of each primitive or nothing. Polygons and lines whose points all belong
/// to tets add nothing. Without `split` all is one piece. Throws an Error that names the primitive or point
/// and what to do about it.
std::vector<PrimitivePiece> primitive_pieces(const Geometry& geometry, const std::vector<Vec3>& rest,
                                             const std::vector<double>& lengths, bool split,
                                             std::vector<std::string>& warnings);

}  // namespace verve
