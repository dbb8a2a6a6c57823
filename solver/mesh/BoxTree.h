// A tree of boxes, to find the elements near a point without looking at all of them.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "base/Parallel.h"
#include "base/Types.h"

namespace verve {

struct BoxTree {
  /// A node stands for `count` entries of `items` from `first` on. Its left child follows it.
  struct Node {
    Eigen::AlignedBox3d box;
    int first = 0;
    int count = 0;
    int right = -1;  ///< -1: a leaf, without children
    bool is_leaf() const { return right < 0; }
    double squared_distance(const Vec3& p) const {
      return (box.min() - p).cwiseMax(p - box.max()).cwiseMax(0.0).squaredNorm();
    }
  };
  std::vector<Node> nodes;  ///< the first is the root; none for no items
  std::vector<int> items;   ///< numbers of the boxes that the tree was made of

  explicit BoxTree(const std::vector<Eigen::AlignedBox3d>& boxes = {});

  /// Fits the nodes to boxes that have moved; box(i) is that of the i-th entry of `items`, asked for once,
  /// from several threads. The tree stays right, and fast as long as the boxes keep their neighbours.
  template <class Box>
  void refit(const Box& box) {
    // Children come after their parents.
    parallel_pieces(int(branches.size()), 1, [&](int begin, int end) {
      for (int b = begin; b < end; ++b)
        for (int i = branches[b].end; i-- > branches[b].begin;) refit(box, i);
    });
    for (std::size_t i = crown.size(); i-- > 0;) refit(box, crown[i]);
  }

  /// Calls visit(node) for the numbers of the leaves whose boxes touch `region`.
  template <class Visit>
  void leaves_in(const Eigen::AlignedBox3d& region, const Visit& visit) const {
    int stack[64], size = 0;
    if (!nodes.empty()) stack[size++] = 0;
    while (size > 0) {
      const int index = stack[--size];
      const Node& node = nodes[index];
      if (!node.box.intersects(region)) continue;
      if (node.is_leaf()) {
        visit(index);
      } else {
        stack[size++] = node.right;
        stack[size++] = index + 1;
      }
    }
  }

  /// Calls visit(first, count) for the leaves whose boxes touch `region`.
  template <class Visit>
  void overlapping(const Eigen::AlignedBox3d& region, const Visit& visit) const {
    leaves_in(region, [&](int node) { visit(nodes[node].first, nodes[node].count); });
  }

  /// Visits the leaves in about the order of their distance from p and skips those that are farther away than
  /// `visit` found reason to look: visit(first, count) returns the squared distance that still matters, which
  /// begins as `limit`.
  template <class Visit>
  void nearest(const Vec3& p, double limit, const Visit& visit) const {
    if (nodes.empty()) return;
    struct Entry {
      int node;
      double distance;
    };
    Entry stack[64];
    int size = 0;
    stack[size++] = {0, nodes[0].squared_distance(p)};
    while (size > 0) {
      const Entry top = stack[--size];
      if (!(top.distance < limit)) continue;
      const Node& node = nodes[top.node];
      if (node.is_leaf()) {
        limit = visit(node.first, node.count);
        continue;
      }
      Entry a{top.node + 1, nodes[top.node + 1].squared_distance(p)};
      Entry b{node.right, nodes[node.right].squared_distance(p)};
      if (a.distance < b.distance) std::swap(a, b);
      stack[size++] = a;
      stack[size++] = b;
    }
  }

 private:
  template <class Box>
  void refit(const Box& box, int i) {
    Node& node = nodes[i];
    if (!node.is_leaf()) {
      node.box = nodes[i + 1].box.merged(nodes[node.right].box);
      return;
    }
    node.box.setEmpty();
    for (int k = node.first; k < node.first + node.count; ++k) node.box.extend(box(k));
  }

  /// The nodes of subtrees that are fitted at the same time, and those above them.
  struct Branch {
    int begin, end;
  };
  std::vector<Branch> branches;
  std::vector<int> crown;
};

}  // namespace verve
