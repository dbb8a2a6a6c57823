// Gathers the nodes of a matrix graph into the nodes of a coarser one.
#pragma once

#include <vector>

namespace verve {

/// Disjoint groups of strongly connected nodes.
struct Aggregates {
  std::vector<int> of;  ///< the aggregate of each node, or -1: the node has no strong neighbour and stays out
  int count = 0;
};

/// The greedy aggregation of Vanek, Mandel and Brezina (1996) on a graph of strong connections: first every
/// node whose neighbours are all free takes them, then the remaining nodes join a neighbour's aggregate.
Aggregates aggregate(const std::vector<int>& start, const std::vector<int>& neighbour);

}  // namespace verve
