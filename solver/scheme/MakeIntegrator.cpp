#include "scheme/MakeIntegrator.h"

#include <algorithm>

#include "asynchronous/Asynchronous.h"
#include "base/Error.h"
#include "integrator/SplitDamping.h"
#include "scheme/Avf.h"
#include "scheme/BackwardEuler.h"
#include "scheme/Bathe.h"
#include "scheme/Bdf2.h"
#include "scheme/Composition.h"
#include "scheme/ExplicitHamiltonPontryagin.h"
#include "scheme/HamiltonPontryagin.h"
#include "scheme/ImplicitMidpoint.h"
#include "scheme/Newmark.h"

namespace verve {
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

/// Throws an Error for settings that make no sense or do not go together.
void check(const IntegratorSettings& settings, int points) {
  const IntegratorType type = settings.type;
  check(settings.damping, points);
  if (!(settings.alpha >= 0.0 && settings.alpha <= 1.0))
    throw Error("integrator.alpha: " + std::to_string(settings.alpha) +
                " lies outside [0, 1]; 0 and 1 are explicit, 0.5 is of order 2");
  if (settings.correction == Correction::local && type != IntegratorType::avf)
    throw Error(
        "integrator.correction: 'local' closes the energy balance of avf only; choose that integrator or "
        "'none'");
  if (settings.project_momentum && type != IntegratorType::avf)
    throw Error("integrator.momentum: 'projected' belongs to avf only; choose that integrator or 'raw'");
  if (!(settings.safety > 0.0 && settings.safety < 1.0))
    throw Error(
        "integrator.safety: steps of " + std::to_string(settings.safety) +
        " times the largest stable one cannot be stable; give a number above 0 and below 1, such as 0.1");
  if (settings.order != 2 && settings.order != 4 && settings.order != 6)
    throw Error("integrator.order: must be 2, 4 or 6");
}

/// With a rule and a correction that suit the energies in the place of automatic ones. Both Simpson's rule
/// and Gauss's of two points look twice along the chord and are exact for cubic forces; Gauss's has no place
/// at the end, where an impact squeezes most, and with the correction any rule keeps the energy.
IntegratorSettings suited(IntegratorSettings settings, const System& system) {
  const bool exact = std::all_of(system.elastic.begin(), system.elastic.end(),
                                 [](const auto& energy) { return energy->quartic(); });
  const bool chosen = settings.gauss != IntegratorSettings::automatic;
  if (settings.correction == Correction::automatic)
    settings.correction =
        chosen || exact || settings.type != IntegratorType::avf ? Correction::none : Correction::local;
  if (!chosen) settings.gauss = exact ? 0 : 2;
  return settings;
}

/// The integrator by itself, with what damping acts inside its steps.
std::unique_ptr<Integrator> make_base(System& system, const IntegratorSettings& settings,
                                      const std::shared_ptr<StrainFlow>& flow) {
  if (settings.type == IntegratorType::bdf2) return make_bdf2(system, settings);
  if (settings.type == IntegratorType::bathe) return make_bathe(system, settings);
  if (settings.type == IntegratorType::asynchronous) return make_asynchronous(system, settings);
  if (is_explicit(settings)) {
    const bool drift_first = settings.type == IntegratorType::hp && settings.alpha == 1.0;
    return make_explicit_hp(system, drift_first, settings.damping);
  }
  return make_chord_integrator(system, scheme_of(settings), settings,
                               settings.damping.filtered ? flow : nullptr);
}

bool is_symmetric(const IntegratorSettings& settings) {
  const bool two_stage = settings.type == IntegratorType::bdf2 || settings.type == IntegratorType::bathe;
  return !two_stage && !is_explicit(settings) && scheme_of(settings).symmetric;
}

/// True for those whose velocity is that of the chord, once more extrapolated.
bool is_trapezoidal(IntegratorType type) {
  return type == IntegratorType::avf || type == IntegratorType::implicit_midpoint ||
         type == IntegratorType::newmark;
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(System& system, const IntegratorSettings& asked) {
  check(asked, system.points());
  const IntegratorSettings settings = suited(asked, system);
  if (system.layers && settings.type != IntegratorType::asynchronous)
    throw Error(
        "contact.rule: layers belong to the asynchronous integrator; choose exact, or that integrator");
  if (!system.terms.empty() && settings.type == IntegratorType::asynchronous)
    throw Error(std::string("integrator.type: asynchronous does not know '") + system.terms.front()->name() +
                "' of this scene; choose avf or another integrator");
  const DampingSettings& damping = settings.damping;
  const bool composed = settings.order > 2, explicit_step = is_explicit(settings);
  for (const auto& term : system.terms)
    if (composed && !term->reversible())
      throw Error(std::string("integrator.order: 4 and 6 run parts of a step backwards, through which '") +
                  term->name() + "' of this scene would feed energy in; choose order 2");
  if (composed && !is_symmetric(settings))
    throw Error(
        "integrator.order: 4 and 6 are reached by composing a symmetric scheme; choose avf, "
        "implicit_midpoint, "
        "newmark or hp with alpha 0.5");
  const bool outside = damping.model == DampingModel::blend || damping.model == DampingModel::split;
  const bool rayleigh =
      damping.model == DampingModel::in_step || damping.model == DampingModel::in_step_chord;
  if (damping.any() && !outside && composed)
    throw Error(
        "damping.model: inside a step it cannot run backwards, as order 4 and 6 need; choose blend or split");
  if (damping.any() && !outside && settings.type == IntegratorType::asynchronous)
    throw Error(
        "damping.model: the asynchronous integrator is damped between its steps; choose blend or split");
  if (damping.any() && rayleigh && explicit_step)
    throw Error("damping.model: in_step needs an implicit integrator; choose blend, split or hp");

  // Compositions and explicit steps take no share of the blend.
  const bool undamped_base = composed || (explicit_step && outside);
  IntegratorSettings split_settings = settings;
  split_settings.damping.filtered = !undamped_base && is_trapezoidal(settings.type);
  IntegratorSettings base_settings = split_settings;
  if (undamped_base) base_settings.damping = {};
  std::shared_ptr<StrainFlow> flow;
  if (outside && damping.deltas().largest() > 0.0)
    flow = std::make_shared<StrainFlow>(system, damping, settings.linear,
                                        std::clamp(1e-2 * settings.newton.tolerance, 1e-8, 1e-4));
  std::unique_ptr<Integrator> integrator = make_base(system, base_settings, flow);
  if (composed) integrator = compose(std::move(integrator), settings.order);
  if (damping.any() && (outside || (damping.eta > 0.0 && !rayleigh))) {
    const int parts = undamped_base ? 0 : settings.type == IntegratorType::bathe ? 2 : 1;
    integrator = make_split_damping(system, split_settings, parts, std::move(integrator), std::move(flow));
  }
  return integrator;
}

}  // namespace verve
