#include "linear/FactorPcg.h"

#include <algorithm>
#include <cmath>

namespace verve {
namespace {

// Estimated times in nanoseconds on one core; only their ratio matters.
double factorization_time(const FrontTree& tree) {
  return tree.flops / 40 + 1.6 * double(tree.panel_size);
}
double iteration_time(const FrontTree& tree, const BlockPattern& pattern) {
  return 0.7 * double(tree.panel_size) + 6.0 * pattern.blocks() + 20.0 * pattern.rows();
}

}  // namespace

void FactorPcg::analyze(std::shared_ptr<const BlockPattern> pattern) {
  analyze(pattern, std::make_shared<FrontTree>(make_front_tree(*pattern)));
}

void FactorPcg::analyze(std::shared_ptr<const BlockPattern> pattern, std::shared_ptr<const FrontTree> tree) {
  factor_price_ = factorization_time(*tree) / iteration_time(*tree, *pattern);
  factor_.cholesky.analyze(std::move(tree));
  pcg_.resize(pattern->rows());
  has_factor_ = false;
}

bool FactorPcg::factorize(const BlockMatrix& a) {
  fresh_ = false;
  return has_factor_ || refactorize(a);
}

bool FactorPcg::refactorize(const BlockMatrix& a) {
  // A float factor fails on definite matrices whose smallest eigenvalue drowns in round-off. A shift above
  // that round-off saves those and hardly slows the iteration; a matrix that fails even so is indefinite.
  for (double shift : {0.0, 1e-5}) {
    ++factorizations_;
    failed_point_ = factor_.cholesky.factorize(a, shift);
    if (failed_point_ < 0) break;
  }
  has_factor_ = fresh_ = failed_point_ < 0;
  spent_ = factor_price_;
  decades_ = last_rate_ = 0;
  return has_factor_;
}

bool FactorPcg::solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) {
  failed_point_ = -1;
  // The average cost of a decade falls while the factor is young and rises when it is old; it is least where
  // the next decade costs as much as the average so far.
  if (!fresh_ && decades_ > 0 && last_rate_ > spent_ / decades_ && !refactorize(a)) return false;

  int iterations = 0;
  const auto run = [&](double most, bool from_zero) {
    const Pcg::Result result = pcg_.run(a, b, x, tolerance, int(most), factor_, from_zero);
    iterations += pcg_.iterations();
    iterations_ += pcg_.iterations();
    return result;
  };
  constexpr int most_iterations = 2000;
  // When this solve alone has cost as much as a factor, the old one is no good.
  Pcg::Result result = run(fresh_ ? most_iterations : std::ceil(factor_price_) + 2, true);
  if ((result == Pcg::Result::out_of_iterations || result == Pcg::Result::stagnated) && !fresh_) {
    if (!refactorize(a)) return false;
    iterations = 0;
    result = run(most_iterations, false);
  }
  const double decades = std::max(0.1, -std::log10(std::max(tolerance, 1e-16)));
  last_rate_ = iterations / decades;
  spent_ += iterations;
  decades_ += decades;
  return result == Pcg::Result::converged;
}

}  // namespace verve
