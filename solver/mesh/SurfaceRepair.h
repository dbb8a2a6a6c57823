// Makes a surface fit to ask what lies inside it, and says what it had to change.
#pragma once

#include <vector>

#include "mesh/MeshCheck.h"

namespace verve {

/// The repaired surface and a count of each repair, with the first offender of the original.
struct RepairedSurface {
  TriangleMesh mesh;             ///< welded: no two points at one place
  std::vector<int> triangle_of;  ///< the original of each triangle

  MeshReport::Entry not_finite;     ///< triangles with a point that is not finite: left out
  MeshReport::Entry collapsed;      ///< triangles whose corners coincide: left out
  MeshReport::Entry duplicates;     ///< triangles with the same corners as an earlier one: left out
  MeshReport::Entry flat;           ///< triangles without area: kept, they only close gaps
  MeshReport::Entry flipped;        ///< triangles that wound against most of their piece: turned round
  MeshReport::Entry inside_out;     ///< first triangles of pieces that faced inwards: turned round
  MeshReport::Entry open_edges;     ///< triangles with an edge of their own: left as holes
  MeshReport::Entry crowded_edges;  ///< triangles at an edge of more than two: left as they are
  int welded = 0;                   ///< points that shared their place with an earlier one: made one
  int pieces = 0;                   ///< parts whose triangles share edges
  double open_length = 0;           ///< metres of edges that no opposite edge matches
};

/// Indices must be within range; anything else may be wrong with the surface.
RepairedSurface repair_surface(const TriangleMesh& surface);

}  // namespace verve
