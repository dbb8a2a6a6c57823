// The body-centred cubic lattice from which the mesher carves its tets.
#pragma once

#include <array>
#include <vector>

#include "mesh/Implicit.h"

namespace verve {

/// Tets that cover a solid and a margin around its surface. Nodes are the corners and centres of cubic cells;
/// near the surface all cells have one size, so that a tet there has two long edges, of one spacing, and four
/// short ones. Deep inside, cells may be larger by powers of two and the tets of several kinds.
struct Lattice {
  Vec3 origin;
  double half_spacing = 0;
  std::vector<std::array<int, 3>> nodes;  ///< coordinates in half spacings from the origin
  std::vector<double> values;             ///< the field at each node, or a smaller clearance
  /// Tets of positive volume with at least one node inside.
  std::vector<std::array<int, 4>> tets;

  Vec3 position(int node) const {
    return origin + half_spacing * Vec3(nodes[node][0], nodes[node][1], nodes[node][2]);
  }
};

/// Cells grow towards the inside up to 2^coarsening spacings. Throws an Error when the solid would need more
/// cells than fit in memory.
Lattice make_lattice(const Implicit& solid, double spacing, int coarsening);

}  // namespace verve
