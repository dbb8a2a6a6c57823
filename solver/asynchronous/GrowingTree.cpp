#include "asynchronous/GrowingTree.h"

namespace verve {

void GrowingTree::reset(std::vector<Eigen::AlignedBox3d> boxes) {
  const bool same = boxes.size() == boxes_.size();
  boxes_ = std::move(boxes);
  if (same) {
    tree_.refit([&](int k) { return boxes_[tree_.items[k]]; });
    return;
  }
  tree_ = BoxTree(boxes_);
  parent_.assign(tree_.nodes.size(), -1);
  leaf_.assign(boxes_.size(), -1);
  for (int n = 0; n < int(tree_.nodes.size()); ++n) {
    const BoxTree::Node& node = tree_.nodes[n];
    if (node.is_leaf())
      for (int k = node.first; k < node.first + node.count; ++k) leaf_[tree_.items[k]] = n;
    else
      parent_[n + 1] = parent_[node.right] = n;
  }
}

void GrowingTree::grow(int item, const Eigen::AlignedBox3d& box) {
  boxes_[item].extend(box);
  for (int n = leaf_[item]; n >= 0 && !tree_.nodes[n].box.contains(boxes_[item]); n = parent_[n])
    tree_.nodes[n].box.extend(boxes_[item]);
}

}  // namespace verve
