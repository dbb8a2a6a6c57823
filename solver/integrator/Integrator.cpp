#include "integrator/Integrator.h"

#include <algorithm>

#include "base/Error.h"
#include "integrator/ChordScheme.h"
#include "integrator/Composition.h"
#include "integrator/SymplecticEuler.h"
#include "integrator/TwoStage.h"

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
  newton_iterations += step.newton_iterations;
  linear_iterations += step.linear_iterations;
  factorizations += step.factorizations;
  stagnated += step.stagnated;
  residual = std::max(residual, step.residual);
}

namespace {

ChordScheme scheme_of(const IntegratorSettings& settings) {
  switch (settings.type) {
    case IntegratorType::backward_euler:
      return backward_euler_scheme();
    case IntegratorType::implicit_midpoint:
      return implicit_midpoint_scheme();
    case IntegratorType::newmark:
      return newmark_scheme();
    case IntegratorType::hp:
      return hp_scheme(settings.alpha);
    default:
      return avf_scheme(settings.gauss > 0 ? gauss(settings.gauss) : simpson());
  }
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(System& system, const IntegratorSettings& settings) {
  const IntegratorType type = settings.type;
  if (settings.correction && type != IntegratorType::avf)
    throw Error(
        "integrator.correction: 'local' closes the energy balance of avf only; choose that integrator or "
        "'none'");
  if (settings.project_momentum && type != IntegratorType::avf)
    throw Error("integrator.momentum: 'projected' belongs to avf only; choose that integrator or 'raw'");
  std::unique_ptr<Integrator> integrator;
  bool symmetric = false;
  if (type == IntegratorType::bdf2) {
    integrator = make_bdf2(system, settings);
  } else if (type == IntegratorType::bathe) {
    integrator = make_bathe(system, settings);
  } else if (type == IntegratorType::symplectic_euler ||
             (type == IntegratorType::hp && settings.alpha == 0.0)) {
    integrator = make_symplectic_euler(system);
  } else {
    const ChordScheme scheme = scheme_of(settings);
    symmetric = scheme.symmetric;
    integrator = make_chord_integrator(system, scheme, settings);
  }
  if (settings.order == 4) {
    if (!symmetric)
      throw Error(
          "integrator.order: 4 is reached by composing a symmetric scheme; choose avf, implicit_midpoint, "
          "newmark "
          "or hp with alpha 0.5");
    integrator = compose_order4(std::move(integrator));
  }
  return integrator;
}

}  // namespace verve
