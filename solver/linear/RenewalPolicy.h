// When to replace a preconditioner that was made from an earlier matrix.
#pragma once

namespace verve {

/// An old preconditioner costs more iterations than a fresh one. It is replaced once the iterations lost
/// since it was made would have paid for a new one: never worse than twice the best choice in hindsight.
/// Counts iterations, never time, so that runs repeat bit for bit.
class RenewalPolicy {
 public:
  /// The preconditioner is new; making it costs as much as `price` iterations.
  void renewed(double price);
  bool due() const { return lost_ >= price_ || distrust_ > 0; }
  /// How many iterations a solve to this tolerance may take before it has lost the price of a new
  /// preconditioner.
  double patience(double tolerance) const;
  void solved(int iterations, double tolerance);
  /// An old preconditioner was tried, and served or had to be replaced on the way. Where that happens in a
  /// row (impacts change the matrix from one iteration to the next) the next ones are not tried at all: one
  /// after the first failure, three after the second, seven at most.
  void tried(bool served);
  /// Drops what was learnt.
  void forget() { failures_ = distrust_ = 0; }

 private:
  double price_ = 0, lost_ = 0;
  int failures_ = 0, distrust_ = 0;
  double fresh_rate_ = -1;  // iterations for each decade of residual in the first solve, -1 before it
};

}  // namespace verve
