#include "linear/EliminationTree.h"

#include <gtest/gtest.h>

#include <set>

#include "linear/Matrices.h"

namespace verve {
namespace {

// Eliminates the points one by one on the graph itself: what is left of a point's neighbours becomes a
// clique.
TEST(EliminationTree, HasTheParentsAndCountsOfPlainElimination) {
  for (const auto& [name, pattern] : patterns()) {
    const EliminationTree tree = make_elimination_tree(*pattern);
    const int n = pattern->rows();
    ASSERT_EQ(std::set<int>(tree.order.begin(), tree.order.end()).size(), std::size_t(n)) << name;
    const std::vector<int> position = inverse_order(tree.order);
    std::vector<std::set<int>> later(n);
    for (int i = 0; i < n; ++i)
      for (int k = pattern->row_start[i]; k < pattern->row_start[i + 1]; ++k)
        if (const int j = position[pattern->column[k]]; j > position[i]) later[position[i]].insert(j);
    for (int j = 0; j < n; ++j) {
      EXPECT_EQ(tree.count[j], int(later[j].size()) + 1) << name << ", column " << j;
      EXPECT_EQ(tree.parent[j], later[j].empty() ? -1 : *later[j].begin()) << name << ", column " << j;
      for (int a : later[j])
        for (int b : later[j])
          if (b > a) later[a].insert(b);
    }
  }
}

TEST(EliminationTree, PostorderPutsChildrenFirstAndKeepsSubtreesTogether) {
  //      5        3
  //    /   \      |
  //   0     4     6
  //        / \            (the parents of 0..6)
  //       1   2
  EXPECT_EQ(postorder({5, 4, 4, -1, 5, -1, 3}), (std::vector<int>{6, 3, 0, 1, 2, 4, 5}));
}

}  // namespace
}  // namespace verve
