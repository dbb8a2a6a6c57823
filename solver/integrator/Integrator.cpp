#include "integrator/Integrator.h"

#include <algorithm>

namespace verve {

void StepReport::add(const NewtonReport& newton) {
  solved = solved && newton.solved();
  newton_iterations += newton.iterations;
  linear_iterations += newton.linear_iterations;
  factorizations += newton.factorizations;
  stagnated += newton.exit == NewtonReport::Exit::stagnated;
  residual = std::max(residual, newton.residual);
}

void StepReport::add(const StepReport& step) {
  solved = solved && step.solved;
  if (problem.empty()) problem = step.problem;
  newton_iterations += step.newton_iterations;
  linear_iterations += step.linear_iterations;
  factorizations += step.factorizations;
  stagnated += step.stagnated;
  events += step.events;
  deepest_layer = std::max(deepest_layer, step.deepest_layer);
  residual = std::max(residual, step.residual);
}

bool is_explicit(const IntegratorSettings& settings) {
  return settings.type == IntegratorType::symplectic_euler || settings.type == IntegratorType::asynchronous ||
         (settings.type == IntegratorType::hp && (settings.alpha == 0.0 || settings.alpha == 1.0));
}

}  // namespace verve
