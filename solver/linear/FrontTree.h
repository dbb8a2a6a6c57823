// The plan of a multifrontal Cholesky factorisation: made once a pattern, followed by every factorisation.
#pragma once

#include <cstddef>
#include <vector>

#include "linear/BlockMatrix.h"

namespace verve {

/// A dense piece of the factor: `columns` points that are eliminated together, and the `rows` points below
/// that they reach. Its panel holds both, 3 (columns + rows) x 3 columns, column-major; what its elimination
/// adds to the rows goes to the parent as an update matrix, 3 rows x 3 rows. All counts are in points.
struct Front {
  int first = 0;  ///< first column, in elimination order
  int columns = 0;
  int rows = 0;
  int parent = -1;
  int split = 0;                           ///< how many of the rows are columns of the parent
  std::size_t row = 0;                     ///< where its rows begin in FrontTree::row
  std::size_t panel = 0;                   ///< where its panel begins, in scalars
  std::size_t update = 0;                  ///< where its update matrix begins in the workspace, in scalars
  int child_begin = 0, child_end = 0;      ///< into FrontTree::child
  std::size_t run_begin = 0, run_end = 0;  ///< into FrontTree::run
  std::size_t entry_begin = 0, entry_end = 0;  ///< into FrontTree::entry

  double flops() const;
};

/// `count` rows of a front, from its row `from` on, are the rows from `to` on of its parent's front.
struct Run {
  int from, to, count;
};

/// Block `block` of the matrix belongs at (row, column) of a front's panel.
struct Entry {
  int block, row, column;
};

/// Fronts `first` to `last` one after the other, once the tasks in [child_begin, child_end) of
/// FrontTree::task_child are done.
struct FrontTask {
  int first = 0, last = 0;
  int child_begin = 0, child_end = 0;
};

struct FrontTree {
  std::vector<int> order;     ///< order[k]: the point that is eliminated k-th
  std::vector<Front> fronts;  ///< children before parents
  std::vector<int> row;       ///< rows of the fronts, ascending, in elimination order
  std::vector<int> child;     ///< fronts
  std::vector<Run> run;
  std::vector<Entry> entry;
  std::vector<FrontTask> tasks;
  std::vector<int> task_child;
  std::vector<int> root_tasks;
  std::size_t panel_size = 0, update_size = 0;  ///< in scalars
  double flops = 0;                             ///< of a factorisation
};

FrontTree make_front_tree(const BlockPattern& pattern);

}  // namespace verve
