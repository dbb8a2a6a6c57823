// In which order the points of a matrix are eliminated, and what depends on what.
#pragma once

#include <cstddef>
#include <vector>

#include "linear/BlockMatrix.h"

namespace verve {

/// A fill-reducing order (nested dissection), its elimination tree in postorder, and the sizes of the
/// factor's columns; all on points, three unknowns each.
struct EliminationTree {
  std::vector<int> order;   ///< order[k]: the point that is eliminated k-th
  std::vector<int> parent;  ///< of each column in elimination order, -1 at a root
  std::vector<int> count;   ///< points in each column of the factor, the diagonal one included
};

EliminationTree make_elimination_tree(const BlockPattern& pattern);

/// The inverse of a permutation.
std::vector<int> inverse_order(const std::vector<int>& order);

/// Numbers the nodes of a forest so that children come before parents and subtrees are contiguous. Siblings
/// keep their order. result[k]: the node that comes k-th.
std::vector<int> postorder(const std::vector<int>& parent);

}  // namespace verve
