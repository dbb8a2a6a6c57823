#include "minimize/Newton.h"

#include <algorithm>
#include <cmath>

namespace verve {

Newton::Newton(std::shared_ptr<const BlockPattern> pattern, std::unique_ptr<LinearSolver> solver,
               NewtonOptions options, const Vector& positions)
    : options_(options), solver_(std::move(solver)), hessian_(pattern) {
  if (positions.size() != 0) solver_->set_positions(positions);
  solver_->analyze(pattern);
  const Eigen::Index n = 3 * Eigen::Index(pattern->rows());
  for (Vector* v : {&gradient_, &trial_, &trial_gradient_, &direction_, &right_}) *v = Vector::Zero(n);
}

void Newton::set_pattern(std::shared_ptr<const BlockPattern> pattern) {
  if (pattern == hessian_.pattern) return;
  hessian_ = BlockMatrix(pattern);
  solver_->analyze(std::move(pattern));
}

bool Newton::solve_with(double forcing) {
  if (!solver_->factorize(hessian_)) return false;
  right_ = -gradient_;
  if (!solver_->solve(hessian_, right_, direction_, forcing) || !direction_.allFinite()) return false;
  // A gradient that is nothing but round-off points anywhere, and not far: that is no fault of the Hessian.
  return gradient_.dot(direction_) < 0.0 || direction_.norm() <= smallest_move_;
}

/// The AVF paper's fallback: add s = 1e-10, 1e-9, ... times the diagonal's mean until the factorisation
/// succeeds.
bool Newton::shift_until_definite(double forcing) {
  const BlockPattern& pattern = *hessian_.pattern;
  double mean = 0.0;
  for (int d : pattern.diagonal)
    for (int k : {0, 4, 8}) mean += std::abs(hessian_.values[9 * std::size_t(d) + k]);
  mean /= 3.0 * std::max(1, pattern.rows());
  double added = 0.0;
  for (double s = 1e-10; s < 1e7; s *= 10.0) {
    for (int d : pattern.diagonal)
      for (int k : {0, 4, 8}) hessian_.values[9 * std::size_t(d) + k] += s * mean - added;
    added = s * mean;
    if (solve_with(forcing)) return true;
  }
  return false;
}

bool Newton::find_direction(Objective& objective, const Vector& x, double forcing) {
  smallest_move_ = 2e-16 * x.norm();
  for (;;) {
    objective.hessian(x, filter_, hessian_);
    if (solve_with(forcing)) return true;
    if (filter_ == 1.0) return shift_until_definite(forcing);
    filter_ = filter_ == 0.0 ? 0.25 : 1.0;
  }
}

NewtonReport Newton::minimize(Objective& objective, Vector& x) {
  constexpr double sufficient = 1e-4;       // Armijo's constant
  constexpr double round_off = 64 * 2e-16;  // of a value, in units of its magnitude
  constexpr double strain_round_off = 1e-10;
  constexpr double tight = 1e-4;   // tolerance of linear solves within round-off of the value
  constexpr int most_futile = 10;  // iterations in a row that only wander within round-off
  NewtonReport report;
  const long factorizations = solver_->factorizations(), linear_iterations = solver_->iterations();
  const auto leave = [&](NewtonReport::Exit exit) {
    report.exit = exit;
    report.factorizations = int(solver_->factorizations() - factorizations);
    report.linear_iterations = int(solver_->iterations() - linear_iterations);
    return report;
  };

  Objective::Value now = objective.evaluate(x, gradient_);
  report.residual = objective.residual(x, gradient_);
  double before = 0.0, unsettled = INFINITY;
  // Lagged parts are brought up to date before the function that has them as constants is solved in full.
  constexpr double settle = 0.01;
  double goal = std::max(options_.tolerance, settle * report.residual);
  int stagnations = 10;  // lagged forces need not settle to the last bit
  int futile = 0;
  filter_ = 0.0;
  while (std::isfinite(now.value) && std::isfinite(report.residual)) {
    if (report.residual <= goal) {
      const bool done = report.residual <= options_.tolerance;
      goal = options_.tolerance;
      if (objective.refresh(x)) {
        now = objective.evaluate(x, gradient_);
        report.residual = objective.residual(x, gradient_);
        if (done) {
          if (report.residual <= options_.tolerance) return leave(NewtonReport::Exit::converged);
          // What refreshing brings up shrinks from time to time, until it is round-off.
          if (report.residual > 0.5 * unsettled && report.residual < 10.0 * options_.tolerance &&
              --stagnations < 0)
            return leave(NewtonReport::Exit::stagnated);
          unsettled = report.residual;
        }
        goal = std::max(goal, settle * report.residual);
      } else if (done) {
        return leave(NewtonReport::Exit::converged);
      }
    }
    if (report.iterations >= options_.max_iterations) break;

    // Solve only as tightly as this iteration can use (Eisenstat and Walker), and never beyond the tolerance.
    double forcing = before > 0.0 ? 0.5 * std::pow(report.residual / before, 1.5) : 0.1;
    forcing = std::max(std::min(forcing, 0.1), 0.1 * options_.tolerance / report.residual);
    forcing = std::min(std::max(forcing, 1e-9), 0.1);
    // Rough directions get nowhere where only the residual can be followed.
    if (futile > 0) forcing = std::min(forcing, tight);
    if (!find_direction(objective, x, forcing)) break;
    ++report.iterations;

    const double slope = gradient_.dot(direction_);
    bool accepted = false, drowned = false;
    for (double step = 1.0; step > 1e-12;) {
      trial_ = x + step * direction_;
      const Objective::Value then = objective.evaluate(trial_, trial_gradient_);
      const double residual = objective.residual(trial_, trial_gradient_);
      drowned = std::isfinite(then.value) && (-slope <= round_off * (now.magnitude + then.magnitude) ||
                                              direction_.norm() <= smallest_move_ || then.value == now.value);
      // Near the minimum the decrease of the value drowns in round-off long before the gradient does.
      accepted = drowned ? residual < report.residual && futile < most_futile
                         : then.value <= now.value + sufficient * step * slope;
      // Strains round off worse than their sum tells: a step that halves the residual may raise the value by
      // that.
      accepted |= residual < 0.5 * report.residual &&
                  then.value - now.value <= strain_round_off * (now.magnitude + then.magnitude);
      if (accepted) {
        futile = drowned && residual > 0.5 * report.residual ? futile + 1 : 0;
        before = report.residual;
        report.residual = residual;
        now = then;
        x.swap(trial_);
        gradient_.swap(trial_gradient_);
        // Exact Hessians pay near the minimum; far from it an indefinite one is likely to come again.
        if (step == 1.0 && residual < 0.9 * before) filter_ = 0.0;
        break;
      }
      if (drowned && step < 0.05) break;
      const double curvature = then.value - now.value - step * slope;
      const double best = std::isfinite(curvature) && curvature > 0 && !drowned
                              ? -0.5 * slope * step * step / curvature
                              : 0.0;
      step = std::min(std::max(best, 0.1 * step), 0.5 * step);
    }
    if (!accepted) {
      // So near to the minimum only round-off hides the way down: that of strains, which the value's
      // magnitude does not tell of.
      if (!drowned && report.residual > 1e-5) break;
      if (forcing > tight) {
        futile = std::max(futile, 1);
        continue;
      }
      if (--stagnations < 0 || !objective.refresh(x)) return leave(NewtonReport::Exit::stagnated);
      // Go on only where the function has really changed.
      const double at_rest = report.residual;
      now = objective.evaluate(x, gradient_);
      report.residual = objective.residual(x, gradient_);
      if (report.residual <= 2.0 * at_rest) return leave(NewtonReport::Exit::stagnated);
    }
  }
  return leave(NewtonReport::Exit::failed);
}

}  // namespace verve
