// Which things belong together, found by joining them pair by pair.
#pragma once

#include <numeric>
#include <vector>

namespace verve {

class UnionFind {
 public:
  explicit UnionFind(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  /// The lowest member of i's set.
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  void join(int a, int b) {
    a = find(a), b = find(b);
    if (a < b) parent_[b] = a;
    if (b < a) parent_[a] = b;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace verve
