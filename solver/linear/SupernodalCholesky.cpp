#include "linear/SupernodalCholesky.h"

#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/Parallel.h"
#include "linear/DenseKernels.h"

namespace verve {
namespace {

// Fronts above this work are eliminated tile by tile in parallel. By size, never by the number of threads:
// the tiles round differently.
constexpr double large_front = 3e7;
constexpr int tile = 256;                   // rows and columns of a tile
constexpr int panel_width = 128;            // columns eliminated at once
constexpr int entries_per_piece = 1 << 15;  // of loops that are bound by memory

constexpr int no_front = std::numeric_limits<int>::max();

int leading(const Front& front) {
  return 3 * (front.columns + front.rows);
}

// How many rows (columns) of this length make a piece of a solve; a multiple of 16, so that none splits a
// cache line.
int pieces_of(int length) {
  return std::max(16, entries_per_piece / std::max(1, length) / 16 * 16);
}

// Runs the children of a task at the same time, the last one here.
template <class Body>
void for_child_tasks(const int* begin, const int* end, const Body& body) {
  if (begin == end) return;
  if (end - begin == 1) return body(*begin);
  tbb::task_group group;
  for (const int* child = begin; child != end - 1; ++child) group.run([&body, child] { body(*child); });
  body(end[-1]);
  group.wait();
}

template <class Body>
void for_children(const FrontTree& tree, int task, const Body& body) {
  const FrontTask& t = tree.tasks[task];
  for_child_tasks(tree.task_child.data() + t.child_begin, tree.task_child.data() + t.child_end, body);
}

template <class Body>
void for_roots(const FrontTree& tree, const Body& body) {
  for_child_tasks(tree.root_tasks.data(), tree.root_tasks.data() + tree.root_tasks.size(), body);
}

// Adds the columns of the runs [begin, end), with their rows up to `last`, of a child's update matrix to a
// matrix of the parent that begins at row and column `origin` of the parent's front.
template <class Scalar>
void extend_add(const Run* begin, const Run* end, const Run* last, const Scalar* source, int source_rows,
                Scalar* target, int target_rows, int origin) {
  const auto add_columns = [=](const Run* columns) {
    for (int j = 0; j < 3 * columns->count; ++j) {
      const Scalar* from = source + std::size_t(3 * columns->from + j) * source_rows;
      Scalar* to = target + std::size_t(3 * (columns->to - origin) + j) * target_rows - 3 * origin;
      const auto add = [&](int source_row, int target_row, int count) {
        const Scalar* s = from + source_row;
        Scalar* t = to + target_row;
        for (int i = 0; i < count; ++i) t[i] += s[i];
      };
      add(3 * columns->from + j, 3 * columns->to + j, 3 * columns->count - j);
      for (const Run* rows = columns + 1; rows != last; ++rows)
        add(3 * rows->from, 3 * rows->to, 3 * rows->count);
    }
  };
  // Runs are short; as many make a piece as have some pieces_of() columns on average.
  const int runs = int(end - begin);
  if (runs == 0) return;
  const int columns = 3 * (end[-1].from + end[-1].count - begin->from);
  const int grain = std::max<int>(1, int(std::int64_t(pieces_of(source_rows)) * runs / columns));
  parallel_pieces(runs, grain, [&](int first, int behind) {
    for (int r = first; r < behind; ++r) add_columns(begin + r);
  });
}

}  // namespace

template <class Scalar>
void SupernodalCholesky<Scalar>::analyze(const BlockPattern& pattern) {
  analyze(std::make_shared<FrontTree>(make_front_tree(pattern)));
}

template <class Scalar>
void SupernodalCholesky<Scalar>::analyze(std::shared_ptr<const FrontTree> tree) {
  dense::use_one_thread();
  tree_ = std::move(tree);
  panels_.assign(tree_->panel_size, Scalar(0));
  updates_.assign(tree_->update_size, Scalar(0));
  solution_.assign(3 * tree_->order.size(), Scalar(0));
  failed_column_.assign(tree_->fronts.size(), 0);
  carried_at_.clear();
  std::size_t carried = 0;
  for (const Front& front : tree_->fronts) {
    carried_at_.push_back(carried);
    carried += 3 * std::size_t(front.rows);
  }
  carried_.assign(carried, Scalar(0));
}

template <class Scalar>
int SupernodalCholesky<Scalar>::factorize(const BlockMatrix& a, double shift) {
  failed_front_ = no_front;
  for_roots(*tree_, [&](int task) { factorize_task(a, shift, task); });
  const int failed = failed_front_;
  if (failed == no_front) return -1;
  return tree_->order[tree_->fronts[failed].first + failed_column_[failed] / 3];
}

template <class Scalar>
void SupernodalCholesky<Scalar>::factorize_task(const BlockMatrix& a, double shift, int task) {
  for_children(*tree_, task, [&](int child) { factorize_task(a, shift, child); });
  const FrontTask& t = tree_->tasks[task];
  for (int f = t.first; f <= t.last && f < failed_front_; ++f) factorize_front(a, shift, f);
}

template <class Scalar>
void SupernodalCholesky<Scalar>::factorize_front(const BlockMatrix& a, double shift, int index) {
  const Front& front = tree_->fronts[index];
  Scalar* panel = panels_.data() + front.panel;
  const int ld = leading(front);
  parallel_pieces(3 * front.columns, pieces_of(ld), [&](int begin, int end) {
    std::fill(panel + std::size_t(begin) * ld, panel + std::size_t(end) * ld, Scalar(0));
  });
  for (std::size_t e = front.entry_begin; e < front.entry_end; ++e) {
    const Entry& entry = tree_->entry[e];
    const double* block = &a.values[9 * std::size_t(entry.block)];
    Scalar* to = panel + 3 * entry.row + 3 * std::size_t(entry.column) * ld;
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) to[r + std::size_t(c) * ld] = Scalar(block[3 * c + r]);
  }
  if (shift != 0.0)
    for (int j = 0; j < 3 * front.columns; ++j) panel[j + std::size_t(j) * ld] *= Scalar(1 + shift);
  for (int c = front.child_begin; c < front.child_end; ++c)
    add_child_to_panel(tree_->fronts[tree_->child[c]], front);
  const int failed = front.flops() < large_front ? eliminate_small(front) : eliminate_large(front);
  if (failed >= 0) {
    failed_column_[index] = failed;
    for (int seen = failed_front_; index < seen && !failed_front_.compare_exchange_weak(seen, index);) {
    }
    return;
  }
  for (int c = front.child_begin; c < front.child_end; ++c)
    add_child_to_update(tree_->fronts[tree_->child[c]], front);
}

template <class Scalar>
int SupernodalCholesky<Scalar>::eliminate_small(const Front& front) {
  Scalar* panel = panels_.data() + front.panel;
  const int ld = leading(front), n = 3 * front.columns, m = 3 * front.rows;
  const int failed = dense::cholesky(n, panel, ld);
  if (failed >= 0 || m == 0) return failed;
  dense::solve_right(m, n, panel, ld, panel + n, ld);
  dense::subtract_square(m, n, panel + n, ld, 0, updates_.data() + front.update, m);
  return -1;
}

template <class Scalar>
int SupernodalCholesky<Scalar>::eliminate_large(const Front& front) {
  Scalar* panel = panels_.data() + front.panel;
  const int ld = leading(front), n = 3 * front.columns, m = 3 * front.rows;
  const auto at = [&](int i, int j) { return panel + i + std::size_t(j) * ld; };
  // One tile of C = keep C - A B^T, lower triangle only on the diagonal.
  const auto update_tile = [](int rows, int columns, int k, const Scalar* a, const Scalar* b, int lda,
                              bool diagonal, int keep, Scalar* c, int ldc) {
    if (!diagonal) return dense::subtract_product(rows, columns, k, a, lda, b, lda, keep, c, ldc);
    dense::subtract_square(columns, k, a, lda, keep, c, ldc);
    if (rows > columns)
      dense::subtract_product(rows - columns, columns, k, a + columns, lda, b, lda, keep, c + columns, ldc);
  };
  for (int k = 0; k < n; k += panel_width) {
    const int width = std::min(panel_width, n - k), next = k + width;
    const int failed = dense::cholesky(width, at(k, k), ld);
    if (failed >= 0) return k + failed;
    const int below = ld - next;
    parallel_pieces(below, tile, [&](int begin, int end) {
      dense::solve_right(end - begin, width, at(k, k), ld, at(next + begin, k), ld);
    });
    const int column_tiles = (n - next + tile - 1) / tile, row_tiles = (below + tile - 1) / tile;
    tbb::parallel_for(0, column_tiles * row_tiles, [&](int t) {
      const int i = next + t % row_tiles * tile, j = next + t / row_tiles * tile;
      if (i < j) return;
      const int rows = std::min(tile, ld - i), columns = std::min(tile, n - j);
      update_tile(rows, columns, width, at(i, k), at(j, k), ld, i == j, 1, at(i, j), ld);
    });
  }
  Scalar* update = updates_.data() + front.update;
  const int tiles = (m + tile - 1) / tile;
  tbb::parallel_for(0, tiles * tiles, [&](int t) {
    const int i = t % tiles * tile, j = t / tiles * tile;
    if (i < j) return;
    const int rows = std::min(tile, m - i), columns = std::min(tile, m - j);
    update_tile(rows, columns, n, at(n + i, 0), at(n + j, 0), ld, i == j, 0, update + i + std::size_t(j) * m,
                m);
  });
  return -1;
}

template <class Scalar>
void SupernodalCholesky<Scalar>::add_child_to_panel(const Front& child, const Front& front) {
  const Run *begin = tree_->run.data() + child.run_begin, *last = tree_->run.data() + child.run_end;
  const Run* end = begin;
  while (end != last && end->from < child.split) ++end;
  extend_add(begin, end, last, updates_.data() + child.update, 3 * child.rows, panels_.data() + front.panel,
             leading(front), 0);
}

template <class Scalar>
void SupernodalCholesky<Scalar>::add_child_to_update(const Front& child, const Front& front) {
  const Run *begin = tree_->run.data() + child.run_begin, *last = tree_->run.data() + child.run_end;
  while (begin != last && begin->from < child.split) ++begin;
  extend_add(begin, last, last, updates_.data() + child.update, 3 * child.rows,
             updates_.data() + front.update, 3 * front.rows, front.columns);
}

template <class Scalar>
void SupernodalCholesky<Scalar>::solve(const Vector& b, Vector& x) {
  const std::vector<int>& order = tree_->order;
  const int points = int(order.size());
  parallel_pieces(points, 8192, [&](int begin, int end) {
    for (int k = begin; k < end; ++k)
      for (int r = 0; r < 3; ++r)
        solution_[3 * std::size_t(k) + r] = Scalar(b[3 * Eigen::Index(order[k]) + r]);
  });
  for_roots(*tree_, [&](int task) { forward_task(task); });
  for_roots(*tree_, [&](int task) { backward_task(task); });
  x.resize(b.size());
  parallel_pieces(points, 8192, [&](int begin, int end) {
    for (int k = begin; k < end; ++k)
      for (int r = 0; r < 3; ++r)
        x[3 * Eigen::Index(order[k]) + r] = double(solution_[3 * std::size_t(k) + r]);
  });
}

template <class Scalar>
void SupernodalCholesky<Scalar>::forward_task(int task) {
  for_children(*tree_, task, [&](int child) { forward_task(child); });
  for (int f = tree_->tasks[task].first; f <= tree_->tasks[task].last; ++f) forward_front(tree_->fronts[f]);
}

template <class Scalar>
void SupernodalCholesky<Scalar>::forward_front(const Front& front) {
  const int ld = leading(front), n = 3 * front.columns, m = 3 * front.rows;
  const Scalar* panel = panels_.data() + front.panel;
  Scalar* own = solution_.data() + 3 * std::size_t(front.first);
  Scalar* below = carried_.data() + carried_at_[&front - tree_->fronts.data()];
  std::fill_n(below, m, Scalar(0));
  for (int c = front.child_begin; c < front.child_end; ++c) {
    const Front& child = tree_->fronts[tree_->child[c]];
    const Scalar* source = carried_.data() + carried_at_[tree_->child[c]];
    for (std::size_t r = child.run_begin; r < child.run_end; ++r) {
      const Run& run = tree_->run[r];
      Scalar* target = run.to < front.columns ? own + 3 * run.to : below + 3 * (run.to - front.columns);
      for (int i = 0; i < 3 * run.count; ++i) target[i] += source[3 * run.from + i];
    }
  }
  dense::solve_lower(n, panel, ld, own);
  parallel_pieces(m, pieces_of(n), [&](int begin, int end) {
    dense::subtract_times(end - begin, n, panel + n + begin, ld, own, below + begin);
  });
}

template <class Scalar>
void SupernodalCholesky<Scalar>::backward_task(int task) {
  for (int f = tree_->tasks[task].last; f >= tree_->tasks[task].first; --f) backward_front(tree_->fronts[f]);
  for_children(*tree_, task, [&](int child) { backward_task(child); });
}

template <class Scalar>
void SupernodalCholesky<Scalar>::backward_front(const Front& front) {
  const int ld = leading(front), n = 3 * front.columns, m = 3 * front.rows;
  const Scalar* panel = panels_.data() + front.panel;
  Scalar* own = solution_.data() + 3 * std::size_t(front.first);
  Scalar* below = carried_.data() + carried_at_[&front - tree_->fronts.data()];
  for (int i = 0; i < front.rows; ++i) {
    const Scalar* source = solution_.data() + 3 * std::size_t(tree_->row[front.row + i]);
    for (int r = 0; r < 3; ++r) below[3 * i + r] = source[r];
  }
  parallel_pieces(n, pieces_of(m), [&](int begin, int end) {
    dense::subtract_transposed_times(m, end - begin, panel + n + std::size_t(begin) * ld, ld, below,
                                     own + begin);
  });
  dense::solve_lower_transposed(n, panel, ld, own);
}

template class SupernodalCholesky<float>;
template class SupernodalCholesky<double>;

}  // namespace verve
