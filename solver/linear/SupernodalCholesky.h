// A sparse Cholesky factorisation of our own: multifrontal, on 3x3 blocks, parallel over the elimination
// tree.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <memory>
#include <vector>

#include "linear/FrontTree.h"

namespace verve {

/// A = L L^T for matrices of one pattern. After analyze() nothing allocates, and the factor and the solutions
/// have the same bits at every number of threads.
template <class Scalar>
class SupernodalCholesky {
 public:
  void analyze(const BlockPattern& pattern);
  /// Takes over a plan made by make_front_tree().
  void analyze(std::shared_ptr<const FrontTree> tree);

  /// Factorises A + shift diag(A). The point whose pivot is not positive, or -1 when all went well.
  int factorize(const BlockMatrix& a, double shift = 0.0);

  /// x = A^-1 b, by the last factor; x may be b.
  void solve(const Vector& b, Vector& x);

  const FrontTree& tree() const { return *tree_; }

 private:
  using Buffer = std::vector<Scalar, Eigen::aligned_allocator<Scalar>>;

  void factorize_task(const BlockMatrix& a, double shift, int task);
  void factorize_front(const BlockMatrix& a, double shift, int index);
  int eliminate_small(const Front& front);
  int eliminate_large(const Front& front);
  void add_child_to_panel(const Front& child, const Front& front);
  void add_child_to_update(const Front& child, const Front& front);
  void forward_task(int task);
  void forward_front(const Front& front);
  void backward_task(int task);
  void backward_front(const Front& front);

  std::shared_ptr<const FrontTree> tree_;
  Buffer panels_, updates_;
  Buffer solution_, carried_;  // in elimination order; what each front hands to its parent in a forward solve
  std::vector<std::size_t> carried_at_;
  // The smallest front in which a pivot failed, with its column; fronts above it need not be tried, those
  // below must be, so that the answer does not depend on which thread came first.
  std::atomic<int> failed_front_{0};
  std::vector<int> failed_column_;
};

extern template class SupernodalCholesky<float>;
extern template class SupernodalCholesky<double>;

}  // namespace verve
