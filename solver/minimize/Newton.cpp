#include "minimize/Newton.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/PhaseTimes.h"

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

void Newton::tell(NewtonRecord::Event event, const NewtonReport& report, const Objective::Residual& residual,
                  double length, int evaluations) const {
  if (!trace) return;
  NewtonRecord record;
  record.event = event;
  record.iteration = report.iterations;
  record.norm = residual.norm;
  record.energy = residual.energy;
  record.length = length;
  record.filter = filter_;
  record.evaluations = evaluations;
  trace(record);
}

bool Newton::settled(const Objective& objective, const NewtonReport& report,
                     const Objective::Residual& residual) {
  constexpr double worth_a_solve = 1e3, rough = 0.1;
  if (residual.norm <= options_.tolerance) return true;
  if (report.iterations == 0 || residual.norm > worth_a_solve * options_.tolerance) return false;
  if (motion_ < 0.0) {
    right_ = -gradient_;
    const bool solved = solver_->solve(hessian_, right_, direction_, rough) && direction_.allFinite();
    motion_ = solved ? objective.motion(direction_) : INFINITY;
  }
  return motion_ <= options_.tolerance;
}

/// Takes the energy's part of the residual to zero by a secant along the objective's own direction: a few
/// evaluations in the place of as many factorisations. Lagged parts follow in between. True when the whole
/// residual is met.
bool Newton::close_energy(Objective& objective, double first, const NewtonReport& report, Vector& x,
                          Objective::Value& now, Objective::Residual& residual) {
  constexpr int most_rounds = 8, most_evaluations = 6;
  const double tolerance = options_.tolerance;
  for (int round = 0; round < most_rounds && settled(objective, report, residual); ++round) {
    if (residual.energy <= tolerance) return true;
    if (!objective.energy_direction(x, direction_)) return false;
    hessian_.multiply(direction_, right_);
    const double curvature = direction_.dot(right_);
    double at = 0.0, slope = gradient_.dot(direction_), next = -slope / curvature;
    Objective::Residual there = residual;
    for (int k = 0; k < most_evaluations; ++k) {
      if (!(std::abs(next) < 0.1)) return false;  // not the small change that it is meant to be
      trial_ = x + next * direction_;
      const Objective::Value then = objective.evaluate(trial_, trial_gradient_);
      there = objective.residual(trial_, trial_gradient_);
      if (!std::isfinite(then.value)) return false;
      if (there.energy <= 0.1 * tolerance) break;
      const double further = trial_gradient_.dot(direction_);
      if (further == slope) break;
      const double step = further * (next - at) / (further - slope);
      at = next, slope = further, next -= step;
    }
    if (!(there.energy < residual.energy) || there.norm > std::max(10.0 * tolerance, 2.0 * residual.norm))
      return false;
    direction_ = trial_ - x;
    if (objective.largest_step(x, direction_) < 1.0) return false;
    x.swap(trial_);
    objective.refresh(x, residual.norm / first);
    now = objective.evaluate(x, gradient_);
    motion_ = -1.0;
    residual = objective.residual(x, gradient_);
    tell(NewtonRecord::Event::close, report, residual, next);
  }
  return residual.energy <= tolerance && settled(objective, report, residual);
}

NewtonReport Newton::minimize(Objective& objective, Vector& x) {
  constexpr double sufficient = 1e-4;       // Armijo's constant
  constexpr double round_off = 64 * 2e-16;  // of a value, in units of its magnitude
  constexpr double strain_round_off = 1e-10;
  constexpr double tight = 1e-4;      // tolerance of linear solves within round-off of the value
  constexpr int most_futile = 10;     // iterations in a row that only wander within round-off
  constexpr int most_foreseen = 2;    // new directions from one place
  constexpr double short_step = 0.3;  // a line search that goes farther needs no other direction
  // Lagged parts are brought up to date as soon as the residual has fallen to this share of what it was when
  // they were last: to solve a function that is about to change in full is time lost.
  constexpr double settle = 0.3;
  NewtonReport report;
  const long factorizations = solver_->factorizations(), linear_iterations = solver_->iterations();
  Objective::Value now = objective.evaluate(x, gradient_);
  Objective::Residual residual = objective.residual(x, gradient_);
  const auto leave = [&](NewtonReport::Exit exit) {
    tell(NewtonRecord::Event::end, report, residual);
    report.exit = exit;
    report.residual =
        motion_ >= 0.0 ? std::max(residual.energy, std::min(residual.norm, motion_)) : residual.worst();
    report.factorizations = int(solver_->factorizations() - factorizations);
    report.linear_iterations = int(solver_->iterations() - linear_iterations);
    return report;
  };

  const double tolerance = options_.tolerance, first = std::max(residual.norm, tolerance);
  double before = 0.0, unsettled = INFINITY;
  double goal = std::max(tolerance, settle * residual.norm);
  int stagnations = 10;  // the lagged contact correction need not converge to the last bit
  int futile = 0, foreseen = 0;
  filter_ = 0.0;
  motion_ = -1.0;
  tell(NewtonRecord::Event::start, report, residual);
  while (std::isfinite(now.value) && std::isfinite(residual.worst())) {
    const bool still = settled(objective, report, residual);
    if (residual.norm <= goal || still) {
      const bool done = still && residual.energy <= tolerance;
      goal = tolerance;
      if (objective.refresh(x, residual.norm / first)) {
        now = objective.evaluate(x, gradient_);
        motion_ = -1.0;
        residual = objective.residual(x, gradient_);
        tell(NewtonRecord::Event::refresh, report, residual);
        if (done) {
          if (residual.energy <= tolerance && settled(objective, report, residual))
            return leave(NewtonReport::Exit::converged);
          // The lagged parts need not converge monotonically, until round-off ends it.
          if (residual.worst() > 0.5 * unsettled && residual.worst() < 10.0 * tolerance && --stagnations < 0)
            return leave(NewtonReport::Exit::stagnated);
          unsettled = residual.worst();
        }
        goal = std::max(goal, settle * residual.norm);
      } else if (done) {
        return leave(NewtonReport::Exit::converged);
      }
      if (report.iterations > 0 && settled(objective, report, residual) &&
          close_energy(objective, first, report, x, now, residual))
        return leave(NewtonReport::Exit::converged);
    }
    if (report.iterations >= options_.max_iterations) break;

    // Solve only as tightly as this iteration can use (Eisenstat and Walker), and never beyond the tolerance.
    double forcing = before > 0.0 ? 0.5 * std::pow(residual.worst() / before, 1.5) : 0.1;
    forcing = std::max(std::min(forcing, 0.1), 0.1 * tolerance / residual.worst());
    forcing = std::min(std::max(forcing, 1e-9), 0.1);
    // Rough directions get nowhere where only the residual can be followed.
    if (futile > 0) forcing = std::min(forcing, tight);
    if (!find_direction(objective, x, forcing)) break;
    ++report.iterations;

    const double slope = gradient_.dot(direction_);
    bool accepted = false, drowned = false, again = false;
    int evaluations = 0;
    std::optional<InPhase> searching(std::in_place, Phase::line_search, InPhase::whole);
    for (double step = objective.largest_step(x, direction_); step > 1e-12;) {
      trial_ = x + step * direction_;
      const Objective::Value then = objective.evaluate(trial_, trial_gradient_);
      const Objective::Residual there = objective.residual(trial_, trial_gradient_);
      ++evaluations;
      drowned = std::isfinite(then.value) && (-slope <= round_off * (now.magnitude + then.magnitude) ||
                                              direction_.norm() <= smallest_move_ || then.value == now.value);
      // Near the minimum the decrease of the value drowns in round-off long before the gradient does.
      accepted = drowned ? there.worst() < residual.worst() && futile < most_futile
                         : then.value <= now.value + sufficient * step * slope;
      // Strains round off worse than their sum tells: a step that halves the residual may raise the value by
      // that.
      accepted |= std::isfinite(then.value) && there.worst() < 0.5 * residual.worst() &&
                  then.value - now.value <= strain_round_off * (now.magnitude + then.magnitude);
      if (accepted) {
        futile = drowned && there.worst() > 0.5 * residual.worst() ? futile + 1 : 0;
        before = residual.worst();
        objective.accepted(x, trial_);
        x.swap(trial_);
        gradient_.swap(trial_gradient_);
        motion_ = -1.0;
        // What did not bring a whole step is not tried again at once.
        foreseen = foreseen > 0 && step < 1.0 ? most_foreseen : 0;
        tell(NewtonRecord::Event::step, report, there, step, evaluations);
        // Exact Hessians pay near the minimum; far from it an indefinite one is likely to come again.
        if (step == 1.0 && there.worst() < 0.9 * residual.worst()) filter_ = 0.0;
        residual = there;
        now = then;
        break;
      }
      if (drowned && step < 0.05) break;
      const double curvature = then.value - now.value - step * slope;
      const double best = std::isfinite(curvature) && curvature > 0 && !drowned
                              ? -0.5 * slope * step * step / curvature
                              : 0.0;
      if (!drowned && evaluations == 1 && foreseen < most_foreseen && best < short_step &&
          objective.foresee(x, trial_)) {
        ++foreseen;
        again = true;
        tell(NewtonRecord::Event::foresee, report, residual, step, evaluations);
        break;
      }
      step = std::min(std::max(best, 0.1 * step), 0.5 * step);
    }
    searching.reset();
    if (again) continue;
    if (!accepted) {
      tell(NewtonRecord::Event::stuck, report, residual, 0.0, evaluations);
      // So near to the minimum only round-off hides the way down: that of strains, which the value's
      // magnitude does not tell of.
      if (!drowned && residual.worst() > 1e-5) break;
      if (forcing > tight) {
        futile = std::max(futile, 1);
        continue;
      }
      if (--stagnations < 0 || !objective.refresh(x, residual.norm / first))
        return leave(NewtonReport::Exit::stagnated);
      // Go on only where the function has really changed.
      const double at_rest = residual.worst();
      now = objective.evaluate(x, gradient_);
      motion_ = -1.0;
      residual = objective.residual(x, gradient_);
      if (residual.worst() <= 2.0 * at_rest) return leave(NewtonReport::Exit::stagnated);
    }
  }
  return leave(NewtonReport::Exit::failed);
}

}  // namespace verve
