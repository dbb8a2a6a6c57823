#include "linear/EliminationTree.h"

#include <metis.h>

#include <mutex>
#include <numeric>

#include "base/Error.h"

namespace verve {
namespace {

std::vector<int> nested_dissection(const BlockPattern& pattern) {
  idx_t n = pattern.rows();
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (pattern.blocks() == n) return order;

  std::vector<idx_t> start(1, 0), neighbour;
  neighbour.reserve(pattern.blocks() - n);
  for (int i = 0; i < n; ++i) {
    for (int k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k)
      if (pattern.column[k] != i) neighbour.push_back(pattern.column[k]);
    start.push_back(idx_t(neighbour.size()));
  }
  std::vector<idx_t> new_to_old(n), old_to_new(n);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  int status;
  {
    // METIS draws from the C library's random numbers: two calls at once would not repeat.
    static std::mutex one_at_a_time;
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    status = METIS_NodeND(&n, start.data(), neighbour.data(), nullptr, options, new_to_old.data(),
                          old_to_new.data());
  }
  if (status != METIS_OK)
    throw SimulationError("Ordering the points for the linear solver ran out of memory.");
  order.assign(new_to_old.begin(), new_to_old.end());
  return order;
}

// Calls visit(j) for every neighbour j, in elimination order, of the k-th column.
template <class Visit>
void for_neighbours(const BlockPattern& pattern, const EliminationTree& tree,
                    const std::vector<int>& position, int k, Visit visit) {
  const int i = tree.order[k];
  for (int b = pattern.row_start[i]; b < pattern.row_start[i + 1]; ++b) visit(position[pattern.column[b]]);
}

// Liu's algorithm: each earlier neighbour climbs to its present root, and the path is shortened on the way.
void find_parents(const BlockPattern& pattern, EliminationTree& tree) {
  const int n = pattern.rows();
  const std::vector<int> position = inverse_order(tree.order);
  std::vector<int> ancestor(n, -1);
  tree.parent.assign(n, -1);
  for (int k = 0; k < n; ++k)
    for_neighbours(pattern, tree, position, k, [&](int j) {
      while (j != -1 && j < k) {
        const int next = ancestor[j];
        ancestor[j] = k;
        if (next == -1) tree.parent[j] = k;
        j = next;
      }
    });
}

// The column counts of Gilbert, Ng and Peyton (1994). Row i of the factor is the subtree spanned by row i of
// the matrix; every column adds 1 at each of its leaves and takes 1 away where two branches of a row's
// subtree meet, so that summing up the tree counts every row once. The columns must be in postorder.
void count_columns(const BlockPattern& pattern, EliminationTree& tree) {
  const int n = pattern.rows();
  const std::vector<int> position = inverse_order(tree.order);
  std::vector<int> first(n), newest_first(n, -1), last_leaf(n, -1), ancestor(n);
  std::iota(first.begin(), first.end(), 0);
  std::iota(ancestor.begin(), ancestor.end(), 0);
  tree.count.assign(n, 0);
  for (int j = 0; j < n; ++j) {
    if (first[j] == j) tree.count[j] = 1;
    const int up = tree.parent[j];
    if (up != -1) first[up] = std::min(first[up], first[j]);
  }
  for (int j = 0; j < n; ++j) {
    const int up = tree.parent[j];
    if (up != -1) --tree.count[up];
    for_neighbours(pattern, tree, position, j, [&](int i) {
      if (i <= j || first[j] <= newest_first[i]) return;
      newest_first[i] = first[j];
      ++tree.count[j];
      const int before = last_leaf[i];
      last_leaf[i] = j;
      if (before == -1) return;
      int meet = before;
      while (ancestor[meet] != meet) meet = ancestor[meet];
      for (int k = before; k != meet;) {
        const int next = ancestor[k];
        ancestor[k] = meet;
        k = next;
      }
      --tree.count[meet];
    });
    if (up != -1) ancestor[j] = up;
  }
  for (int j = 0; j < n; ++j)
    if (tree.parent[j] != -1) tree.count[tree.parent[j]] += tree.count[j];
}

}  // namespace

std::vector<int> inverse_order(const std::vector<int>& order) {
  std::vector<int> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = int(k);
  return position;
}

std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = int(parent.size());
  std::vector<int> first_child(n + 1, -1), next_sibling(n, -1);  // node n: above every root
  for (int i = n - 1; i >= 0; --i) {
    int& head = first_child[parent[i] == -1 ? n : parent[i]];
    next_sibling[i] = head;
    head = i;
  }
  std::vector<int> result, path{n};
  result.reserve(n);
  while (!path.empty()) {
    const int node = path.back();
    if (const int child = first_child[node]; child != -1) {
      first_child[node] = next_sibling[child];
      path.push_back(child);
    } else {
      if (node != n) result.push_back(node);
      path.pop_back();
    }
  }
  return result;
}

EliminationTree make_elimination_tree(const BlockPattern& pattern) {
  EliminationTree tree;
  tree.order = nested_dissection(pattern);
  find_parents(pattern, tree);
  const std::vector<int> post = postorder(tree.parent), place = inverse_order(post);
  std::vector<int> order(post.size()), parent(post.size());
  for (std::size_t k = 0; k < post.size(); ++k) {
    order[k] = tree.order[post[k]];
    parent[k] = tree.parent[post[k]] == -1 ? -1 : place[tree.parent[post[k]]];
  }
  tree.order = std::move(order);
  tree.parent = std::move(parent);
  count_columns(pattern, tree);
  return tree;
}

}  // namespace verve
