#include "linear/FrontTree.h"

#include <algorithm>

#include "linear/EliminationTree.h"

namespace verve {
namespace {

// Supernodes before they become fronts.
struct Group {
  double columns = 0, rows = 0;  // points
  int parent = -1;
  int merged_into = -1;
  std::vector<int> children;
};

double flops_of(double columns, double rows) {
  const double n = 3 * columns, m = 3 * rows;
  return n * (n * n / 3 + m * (n + m));
}

// What a front costs, in flops at full speed. Fitted to the measured time of the dense kernels: they are slow
// on thin fronts, each front has a fixed cost, and adding an update matrix into the parent moves memory.
double cost(double columns, double rows) {
  const double n = 3 * columns, m = 3 * rows;
  return flops_of(columns, rows) * (1 + 16 / n) + 8 * n * (n / 2 + m) + 10 * m * m / 2 + 20000;
}

// Columns that follow each other and have the same rows below are one supernode.
std::vector<Group> fundamental_groups(const EliminationTree& tree, std::vector<int>& group_of) {
  const int n = int(tree.parent.size());
  std::vector<Group> groups;
  group_of.resize(n);
  for (int j = 0; j < n; ++j) {
    const bool joins = j > 0 && tree.parent[j - 1] == j && tree.count[j - 1] == tree.count[j] + 1;
    if (!joins) groups.emplace_back();
    group_of[j] = int(groups.size()) - 1;
    groups.back().columns += 1;
    groups.back().rows = tree.count[j] - 1;
  }
  for (int j = 0; j < n; ++j)
    if (tree.parent[j] != -1 && group_of[tree.parent[j]] != group_of[j]) {
      groups[group_of[j]].parent = group_of[tree.parent[j]];
      groups[group_of[tree.parent[j]]].children.push_back(group_of[j]);
    }
  return groups;
}

// Merges children into parents where the cost model says that a larger dense front beats two smaller ones.
// The rows of a child are among those of its parent, so the merged front has the parent's rows.
void amalgamate(std::vector<Group>& groups) {
  for (int p = 0; p < int(groups.size()); ++p) {
    const auto gain = [&](int c) {
      const Group &child = groups[c], &parent = groups[p];
      return cost(child.columns, child.rows) + cost(parent.columns, parent.rows) -
             cost(child.columns + parent.columns, parent.rows);
    };
    std::vector<int> candidates = std::move(groups[p].children);
    std::vector<int> kept;
    while (!candidates.empty()) {
      std::vector<std::pair<double, int>> ranked;
      for (int c : candidates) ranked.push_back({-gain(c), c});
      std::sort(ranked.begin(), ranked.end());
      candidates.clear();
      for (const auto& [ignored, c] : ranked) {
        if (gain(c) <= 0) {
          kept.push_back(c);
          continue;
        }
        groups[p].columns += groups[c].columns;
        groups[c].merged_into = p;
        for (int grandchild : groups[c].children) candidates.push_back(grandchild);
        groups[c].children.clear();
      }
    }
    std::sort(kept.begin(), kept.end());
    for (int c : kept) groups[c].parent = p;
    groups[p].children = std::move(kept);
  }
}

// The fronts in postorder, and the final order of elimination.
void lay_out_fronts(const EliminationTree& elimination, FrontTree& tree) {
  std::vector<int> group_of;
  std::vector<Group> groups = fundamental_groups(elimination, group_of);
  amalgamate(groups);
  std::vector<int> root(groups.size()), parent(groups.size(), -1);
  for (int g = int(groups.size()) - 1; g >= 0; --g) {
    root[g] = groups[g].merged_into == -1 ? g : root[groups[g].merged_into];
    // A group that was merged hangs below its root only so that the postorder sees one forest.
    parent[g] = groups[g].merged_into == -1 ? groups[g].parent : groups[g].merged_into;
  }
  std::vector<int> front_of(groups.size(), -1);
  for (int g : postorder(parent)) {
    if (root[g] != g) continue;
    front_of[g] = int(tree.fronts.size());
    tree.fronts.emplace_back();
    tree.fronts.back().columns = int(groups[g].columns);
    tree.fronts.back().rows = int(groups[g].rows);
  }
  int first = 0;
  std::vector<int> next;
  for (Front& front : tree.fronts) {
    front.first = first;
    next.push_back(first);
    first += front.columns;
  }
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (front_of[g] != -1 && groups[g].parent != -1)
      tree.fronts[front_of[g]].parent = front_of[groups[g].parent];
  tree.order.resize(elimination.order.size());
  for (std::size_t j = 0; j < group_of.size(); ++j)
    tree.order[next[front_of[root[group_of[j]]]]++] = elimination.order[j];
}

void list_children(FrontTree& tree) {
  for (const Front& front : tree.fronts)
    if (front.parent != -1) ++tree.fronts[front.parent].child_end;
  int begin = 0;
  for (Front& front : tree.fronts) {
    const int count = front.child_end;
    front.child_begin = front.child_end = begin;
    begin += count;
  }
  tree.child.resize(begin);
  for (int f = 0; f < int(tree.fronts.size()); ++f)
    if (const int p = tree.fronts[f].parent; p != -1) tree.child[tree.fronts[p].child_end++] = f;
}

// Which points each front reaches, where the matrix's blocks go, and how updates map to the parents.
void fill_fronts(const BlockPattern& pattern, FrontTree& tree) {
  const std::vector<int> position = inverse_order(tree.order);
  std::vector<int> place(position.size(), -1);  // of each column within the present front
  for (int f = 0; f < int(tree.fronts.size()); ++f) {
    Front& front = tree.fronts[f];
    const int end = front.first + front.columns;
    front.row = tree.row.size();
    const auto reach = [&](int j) {
      if (j < end || place[j] == f) return;
      place[j] = f;
      tree.row.push_back(j);
    };
    for (int j = front.first; j < end; ++j)
      for (int b = pattern.row_start[tree.order[j]]; b < pattern.row_start[tree.order[j] + 1]; ++b)
        reach(position[pattern.column[b]]);
    for (int c = front.child_begin; c < front.child_end; ++c) {
      const Front& child = tree.fronts[tree.child[c]];
      for (int i = 0; i < child.rows; ++i) reach(tree.row[child.row + i]);
    }
    std::sort(tree.row.begin() + front.row, tree.row.end());
    front.rows = int(tree.row.size() - front.row);
  }
  for (Front& front : tree.fronts) {
    for (int j = 0; j < front.columns; ++j) place[front.first + j] = j;
    for (int i = 0; i < front.rows; ++i) place[tree.row[front.row + i]] = front.columns + i;
    front.entry_begin = tree.entry.size();
    for (int j = 0; j < front.columns; ++j) {
      const int point = tree.order[front.first + j];
      for (int b = pattern.row_start[point]; b < pattern.row_start[point + 1]; ++b)
        if (const int i = position[pattern.column[b]]; i >= front.first + j)
          tree.entry.push_back({b, place[i], j});
    }
    front.entry_end = tree.entry.size();
    for (int c = front.child_begin; c < front.child_end; ++c) {
      Front& child = tree.fronts[tree.child[c]];
      child.run_begin = tree.run.size();
      for (int i = 0; i < child.rows; ++i) {
        const int to = place[tree.row[child.row + i]];
        if (to < front.columns) child.split = i + 1;
        const bool follows = tree.run.size() > child.run_begin &&
                             tree.run.back().to + tree.run.back().count == to && to != front.columns;
        if (follows)
          ++tree.run.back().count;
        else
          tree.run.push_back({i, to, 1});
      }
      child.run_end = tree.run.size();
    }
  }
}

// Update matrices live from their front to its parent. Within a task those of even and of odd depth make two
// stacks: a front pushes on one while its children, on top of the other, are still there to be added to it.
void place_updates(FrontTree& tree, const std::vector<int>& depth, const FrontTask& task) {
  std::size_t top[2] = {0, 0}, peak[2] = {0, 0};
  const auto size = [&](const Front& front) {
    return (9 * std::size_t(front.rows) * front.rows + 15) / 16 * 16;
  };
  for (int f = task.first; f <= task.last; ++f) {
    Front& front = tree.fronts[f];
    const int side = depth[f] % 2;
    front.update = top[side];
    top[side] += size(front);
    peak[side] = std::max(peak[side], top[side]);
    for (int c = front.child_begin; c < front.child_end; ++c)
      if (tree.child[c] >= task.first) top[1 - side] -= size(tree.fronts[tree.child[c]]);
  }
  for (int f = task.first; f <= task.last; ++f)
    tree.fronts[f].update += tree.update_size + (depth[f] % 2 ? peak[0] : 0);
  tree.update_size += peak[0] + peak[1];
}

// Subtrees (or several small ones side by side) become tasks; fronts above them a task each.
void make_tasks(FrontTree& tree) {
  const int n = int(tree.fronts.size());
  std::vector<double> work(n, 0);
  std::vector<int> first(n);
  for (int f = 0; f < n; ++f) {
    Front& front = tree.fronts[f];
    work[f] += front.flops();
    first[f] = f;
    for (int c = front.child_begin; c < front.child_end; ++c) {
      work[f] += work[tree.child[c]];
      first[f] = std::min(first[f], first[tree.child[c]]);
    }
    if (front.parent == -1) tree.flops += work[f];
  }
  const double grain = std::max(1e6, tree.flops / 32);
  // The subtrees are split from the top; the list of a front's tasks is complete when the front's own task is
  // made.
  const auto split = [&](const auto& self, const std::vector<int>& roots) -> std::vector<int> {
    std::vector<int> made;
    double gathered = 0;
    for (int root : roots) {
      if (work[root] > grain) {
        const Front& front = tree.fronts[root];
        const std::vector<int> children(tree.child.begin() + front.child_begin,
                                        tree.child.begin() + front.child_end);
        const std::vector<int> below = self(self, children);
        FrontTask task;
        task.first = task.last = root;
        task.child_begin = int(tree.task_child.size());
        tree.task_child.insert(tree.task_child.end(), below.begin(), below.end());
        task.child_end = int(tree.task_child.size());
        made.push_back(int(tree.tasks.size()));
        tree.tasks.push_back(task);
        gathered = 0;
      } else if (gathered > 0 && gathered + work[root] <= grain) {
        tree.tasks[made.back()].last = root;
        gathered += work[root];
      } else {
        FrontTask task;
        task.first = first[root];
        task.last = root;
        made.push_back(int(tree.tasks.size()));
        tree.tasks.push_back(task);
        gathered = work[root];
      }
    }
    return made;
  };
  std::vector<int> roots;
  for (int f = 0; f < n; ++f)
    if (tree.fronts[f].parent == -1) roots.push_back(f);
  tree.root_tasks = split(split, roots);
}

}  // namespace

double Front::flops() const {
  return flops_of(columns, rows);
}

FrontTree make_front_tree(const BlockPattern& pattern) {
  FrontTree tree;
  lay_out_fronts(make_elimination_tree(pattern), tree);
  list_children(tree);
  fill_fronts(pattern, tree);
  for (Front& front : tree.fronts) {
    front.panel = tree.panel_size;
    tree.panel_size += (9 * std::size_t(front.columns + front.rows) * front.columns + 15) / 16 * 16;
  }
  make_tasks(tree);
  std::vector<int> depth(tree.fronts.size(), 0);
  for (int f = int(tree.fronts.size()) - 1; f >= 0; --f)
    if (tree.fronts[f].parent != -1) depth[f] = depth[tree.fronts[f].parent] + 1;
  for (const FrontTask& task : tree.tasks) place_updates(tree, depth, task);
  return tree;
}

}  // namespace verve
