#include "mesh/BoxTree.h"

#include <algorithm>
#include <numeric>

namespace verve {
namespace {

constexpr int leaf_size = 4;
constexpr int branch_size = 2048;  // items that one thread fits

int build(BoxTree& tree, const std::vector<Eigen::AlignedBox3d>& boxes, const std::vector<Vec3>& centres,
          int begin, int end) {
  const int index = int(tree.nodes.size());
  tree.nodes.emplace_back();
  Eigen::AlignedBox3d box, middle;
  for (int i = begin; i < end; ++i) {
    box.extend(boxes[tree.items[i]]);
    middle.extend(centres[tree.items[i]]);
  }
  tree.nodes[index].box = box;
  tree.nodes[index].first = begin;
  tree.nodes[index].count = end - begin;
  if (end - begin <= leaf_size) return index;
  int axis = 0;
  middle.sizes().maxCoeff(&axis);
  // Halves of equal number keep the depth below 32 whatever the input; ties go by number, to be
  // deterministic.
  const int half = begin + (end - begin) / 2;
  std::nth_element(tree.items.begin() + begin, tree.items.begin() + half, tree.items.begin() + end,
                   [&](int a, int b) {
                     const double x = centres[a][axis], y = centres[b][axis];
                     return x != y ? x < y : a < b;
                   });
  build(tree, boxes, centres, begin, half);
  const int right = build(tree, boxes, centres, half, end);
  tree.nodes[index].right = right;
  return index;
}

}  // namespace

BoxTree::BoxTree(const std::vector<Eigen::AlignedBox3d>& boxes) : items(boxes.size()) {
  std::iota(items.begin(), items.end(), 0);
  std::vector<Vec3> centres;
  centres.reserve(boxes.size());
  for (const auto& box : boxes) centres.push_back(box.center());
  if (boxes.empty()) return;
  build(*this, boxes, centres, 0, int(boxes.size()));
  std::vector<Branch> whole = {{0, int(nodes.size())}};
  while (!whole.empty()) {
    const Branch branch = whole.back();
    whole.pop_back();
    const Node& node = nodes[branch.begin];
    if (node.is_leaf() || node.count <= branch_size) {
      branches.push_back(branch);
      continue;
    }
    crown.push_back(branch.begin);
    whole.push_back({node.right, branch.end});
    whole.push_back({branch.begin + 1, node.right});
  }
}

}  // namespace verve
