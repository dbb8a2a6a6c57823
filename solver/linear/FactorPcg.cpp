#include "linear/FactorPcg.h"

#include <cmath>

#include "base/PhaseTimes.h"

namespace verve {
namespace {

// Estimated times in nanoseconds on one core; only their ratio matters.
double factorization_time(const FrontTree& tree) {
  return tree.flops / 60 + 1.6 * double(tree.panel_size);
}
double iteration_time(const FrontTree& tree, const BlockPattern& pattern) {
  return 0.45 * double(tree.panel_size) + 6.0 * pattern.blocks() + 20.0 * pattern.rows();
}

}  // namespace

double FactorPcg::usual_time(const FrontTree& tree, const BlockPattern& pattern) {
  // With two iterations more for every solve that a factor is older, renewing when the loss equals the price
  // p leads to 2 + 2 sqrt(p) iterations' worth a solve.
  const double iteration = iteration_time(tree, pattern);
  return iteration * (2 + 2 * std::sqrt(factorization_time(tree) / iteration));
}

void FactorPcg::analyze(std::shared_ptr<const BlockPattern> pattern) {
  analyze(pattern, std::make_shared<FrontTree>(make_front_tree(*pattern)));
}

void FactorPcg::analyze(std::shared_ptr<const BlockPattern> pattern, std::shared_ptr<const FrontTree> tree) {
  price_ = factorization_time(*tree) / iteration_time(*tree, *pattern);
  factor_.cholesky.analyze(std::move(tree));
  pcg_.resize(pattern->rows());
  has_factor_ = false;
}

bool FactorPcg::factorize(const BlockMatrix& a) {
  fresh_ = false;
  return has_factor_ || refactorize(a);
}

bool FactorPcg::refactorize(const BlockMatrix& a) {
  const InPhase phase(Phase::factor);
  // A float factor fails on definite matrices whose smallest eigenvalue drowns in round-off. A shift above
  // that round-off saves those and hardly slows the iteration; a matrix that fails even so is indefinite.
  for (double shift : {0.0, 1e-5}) {
    ++factorizations_;
    failed_point_ = factor_.cholesky.factorize(a, shift);
    if (failed_point_ < 0) break;
  }
  has_factor_ = fresh_ = failed_point_ < 0;
  policy_.renewed(price_);
  return has_factor_;
}

bool FactorPcg::solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) {
  const InPhase phase(Phase::solve);
  failed_point_ = -1;
  if (!fresh_ && policy_.due() && !refactorize(a)) return false;
  const auto run = [&](double most, bool from_zero) {
    const Pcg::Result result = pcg_.run(a, b, x, tolerance, int(most), factor_, from_zero);
    iterations_ += pcg_.iterations();
    return result;
  };
  constexpr int most_iterations = 2000;
  Pcg::Result result = run(fresh_ ? most_iterations : policy_.patience(tolerance), true);
  const bool gave_up = result == Pcg::Result::out_of_iterations || result == Pcg::Result::stagnated;
  if (!fresh_ && (gave_up || result == Pcg::Result::converged)) policy_.tried(!gave_up);
  if (gave_up && !fresh_) {
    if (!refactorize(a)) return false;
    result = run(most_iterations, false);
  }
  policy_.solved(pcg_.iterations(), tolerance);
  return result == Pcg::Result::converged;
}

}  // namespace verve
