// Tets with points in the middle of their edges.
#pragma once

#include "mesh/TetMesh.h"

namespace verve {

/// Elements of ten points: corners 0 to 3, then the middles of the edges 01, 02, 03, 12, 13, 23.
struct QuadraticMesh {
  std::vector<std::array<int, 10>> elements;
  /// The points of the given mesh, then the middles; eight small tets to each element, in its order, which
  /// share its mass out, show it and meet colliders.
  TetMesh shown;
};

QuadraticMesh quadratic_mesh(const TetMesh& mesh);

}  // namespace verve
