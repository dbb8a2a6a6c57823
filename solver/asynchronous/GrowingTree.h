// A tree of boxes that may grow while it is in use.
#pragma once

#include "mesh/BoxTree.h"

namespace verve {

class GrowingTree {
 public:
  /// Starts anew with as many boxes as before or other ones.
  void reset(std::vector<Eigen::AlignedBox3d> boxes);
  /// Makes a box larger.
  void grow(int item, const Eigen::AlignedBox3d& box);
  const Eigen::AlignedBox3d& box(int item) const { return boxes_[item]; }

  /// Calls visit(item) for the boxes that touch `region`.
  template <class Visit>
  void overlapping(const Eigen::AlignedBox3d& region, const Visit& visit) const {
    tree_.overlapping(region, [&](int first, int count) {
      for (int k = first; k < first + count; ++k)
        if (boxes_[tree_.items[k]].intersects(region)) visit(tree_.items[k]);
    });
  }

 private:
  BoxTree tree_;
  std::vector<Eigen::AlignedBox3d> boxes_;
  std::vector<int> parent_;  ///< of each node
  std::vector<int> leaf_;    ///< of each item
};

}  // namespace verve
