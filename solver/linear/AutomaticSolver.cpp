#include "linear/AutomaticSolver.h"

#include <algorithm>
#include <cmath>

#include "base/PhaseTimes.h"

namespace verve {
namespace {

// Nanoseconds for each block of the matrix, measured on one core.
constexpr double refresh_time = 130, multigrid_iteration_time = 25;
constexpr double usual_iterations_per_decade = 2.5;
constexpr double usual_decades = 5;
constexpr std::size_t most_factor_entries = std::size_t(3) << 28;  // 3 GiB of floats

// The matrices of a step and of its damping have one pattern, one after the other on one thread: ordering it
// once does for both.
std::shared_ptr<const FrontTree> tree_of(const std::shared_ptr<const BlockPattern>& pattern) {
  static thread_local std::weak_ptr<const BlockPattern> last;
  static thread_local std::weak_ptr<const FrontTree> kept;
  std::shared_ptr<const FrontTree> tree = last.lock() == pattern ? kept.lock() : nullptr;
  if (tree) return tree;
  tree = std::make_shared<FrontTree>(make_front_tree(*pattern));
  last = pattern;
  kept = tree;
  return tree;
}

}  // namespace

void AutomaticSolver::set_positions(const Vector& positions) {
  positions_ = positions;
  if (grid_) grid_->set_positions(positions);
}

void AutomaticSolver::analyze(std::shared_ptr<const BlockPattern> pattern) {
  const InPhase phase(Phase::factor);
  pattern_ = std::move(pattern);
  tree_ = tree_of(pattern_);
  factor_.reset();
  grid_.reset();
  const double factor_solve = FactorPcg::usual_time(*tree_, *pattern_);
  const double blocks = pattern_->blocks();
  const double iteration = multigrid_iteration_time * blocks, refresh = refresh_time * blocks;
  const double multigrid_solve = refresh + usual_decades * usual_iterations_per_decade * iteration;
  multigrid_ = positions_.size() == 3 * Eigen::Index(pattern_->rows()) && multigrid_solve < factor_solve;
  usual_time_ = multigrid_ ? multigrid_solve : factor_solve;
  if (!multigrid_) return use_factor();
  patience_ =
      std::max(2 * usual_iterations_per_decade, (2 * factor_solve - refresh) / (usual_decades * iteration));
  grid_ = std::make_unique<IterativeSolver>();
  grid_->set_positions(positions_);
  grid_->analyze(pattern_);
  choose(*grid_, true);
}

void AutomaticSolver::choose(LinearSolver& solver, bool multigrid) {
  chosen_ = &solver;
  multigrid_ = multigrid;
  base_factorizations_ = factorizations_ - solver.factorizations();
  base_iterations_ = iterations_ - solver.iterations();
}

void AutomaticSolver::use_factor() {
  if (!factor_) {
    factor_ = std::make_unique<FactorPcg>();
    factor_->analyze(pattern_, tree_);
  }
  choose(*factor_, false);
}

void AutomaticSolver::forget() {
  if (grid_ && !multigrid_) choose(*grid_, true);
  if (grid_) grid_->forget();
  if (factor_) factor_->forget();
}

void AutomaticSolver::count() {
  factorizations_ = base_factorizations_ + chosen_->factorizations();
  iterations_ = base_iterations_ + chosen_->iterations();
  failed_point_ = chosen_->failed_point();
}

bool AutomaticSolver::factorize(const BlockMatrix& a) {
  const bool done = chosen_->factorize(a);
  count();
  return done;
}

bool AutomaticSolver::solve(const BlockMatrix& a, const Vector& b, Vector& x, double tolerance) {
  const long before = iterations_;
  const bool solved = chosen_->solve(a, b, x, tolerance);
  count();
  if (!multigrid_ || tree_->panel_size > most_factor_entries) return solved;
  const double decades = std::max(1.0, -std::log10(tolerance));
  if (double(iterations_ - before) <= patience_ * decades) return solved;
  use_factor();
  return factorize(a) && (solved || solve(a, b, x, tolerance));
}

}  // namespace verve
