#include "simulation/Simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/PhaseTimes.h"
#include "base/Text.h"
#include "contact/Contacts.h"
#include "integrator/SagFree.h"
#include "integrator/Stability.h"
#include "integrator/StaticSolve.h"
#include "scheme/MakeIntegrator.h"
#include "simulation/Islands.h"
#include "simulation/PaintedMaps.h"
#include "simulation/Pieces.h"
#include "simulation/SceneDrivers.h"
#include "term/RestTerm.h"

namespace verve {
namespace {

constexpr int most_halvings = 8;
constexpr int most_for_inversion = 5;  ///< what turns over in a 32nd of a step may do so

/// Makes what terms change of the system what it is at this state: an attempt that was given up may have left
/// its own.
void recall(System& system, const State& state) {
  for (std::size_t k = 0; k < std::min(system.terms.size(), state.terms.size()); ++k)
    system.terms[k]->recall(state.terms[k]);
  if (!system.contacts) return;
  system.contacts->recall(state.contact);
  if (system.contacts->pairs_changed()) system.finish();
}

}  // namespace

Simulation::Simulation(Scene scene, Begin begin)
    : Simulation(std::make_shared<const Scene>(std::move(scene)), begin) {}

Simulation::Simulation(std::shared_ptr<const Scene> scene, Begin begin)
    : owned_scene_(std::move(scene)),
      owned_system_(std::make_unique<System>()),
      scene_(*owned_scene_),
      system_(*owned_system_),
      frame_(scene_.first_frame) {
  if (!(scene_.fps > 0.0) || scene_.substeps < 0 || scene_.substeps_max < 1)
    throw Error("frames need a positive rate and at least one substep; see 'fps' and 'substeps'");
  check(scene_.energy_target);
  compile(scene_, system_, state_);
  drivers_ = std::make_unique<SceneDrivers>(scene_, system_, state_.x);
  maps_ = std::make_shared<PaintedMaps>(scene_, system_);
  integrator_ = make_integrator(system_, maps_->settings());
  integrator_->check(state_);
  if (!is_explicit(scene_.integrator))
    control_ = std::make_unique<StepControl>(system_, scene_.step_tolerance, scene_.substeps_max);
  if (begin != Begin::part && control_ && Islands::possible(scene_, system_))
    islands_ = std::make_shared<Islands>(scene_, system_);
  saved_.resize(most_halvings + 1);
  if (begin == Begin::prepared)
    prepare();
  else
    record(measure(system_, state_), state_.ledger);
}

void Simulation::prepare() {
  free_of_sag();
  settle();
  state_.ledger = {};
  record(measure(system_, state_), state_.ledger);
}

void Simulation::free_of_sag() {
  const std::vector<int> body_of = bodies_of_pieces(scene_, system_);
  std::vector<char> free;
  for (int body : body_of) free.push_back(scene_.bodies[std::size_t(body)].sag_free);
  if (std::count(free.begin(), free.end(), 1) == 0) return;
  if (system_.layers)
    throw Error("sag_free: penalty layers know no rest by themselves; choose an implicit integrator");
  recall(system_, state_);
  const double h = 1.0 / scene_.fps;
  const SagReport sag = find_rest_shape(system_, *drivers_, free, h, state_);
  for (std::size_t k = 0; k < system_.terms.size(); ++k)
    if (const auto* rest = dynamic_cast<const RestTerm*>(system_.terms[k].get()))
      state_.terms[k] = rest->first_memory(state_.time, true);
  if (!sag.found) {
    const Body* body = nullptr;
    int point = sag.point;
    for (const Body& b : scene_.bodies) {
      body = &b;
      if (point < int(b.rest.size())) break;
      point -= int(b.rest.size());
    }
    notes_.push_back("body '" + body->name +
                     "': no rest shape holds it as it is, so it will sag a little: a force of " +
                     shortest(sag.residual) + " N is left at point " + std::to_string(point) +
                     ", the most of all; make it stiffer, or hold it better");
    return;
  }
  // Contact begins with what presses at rest, which is where the bodies stand unless they buckle.
  const Vector x = state_.x;
  const RestReport rest = find_rest(system_, *drivers_, integrator_settings(scene_), free, h, state_);
  const double size = system_.rest.maxCoeff() - system_.rest.minCoeff();
  if (!rest.found || !((state_.x - x).cwiseAbs().maxCoeff() <= 1e-6 * size))
    notes_.push_back(
        "sag_free: the forces cancel where the bodies stand, but a small push makes them buckle");
  state_.x = x;
}

void Simulation::settle() {
  const std::vector<int> body_of = bodies_of_pieces(scene_, system_);
  std::vector<char> settles;
  for (int body : body_of) settles.push_back(scene_.bodies[std::size_t(body)].settle);
  if (std::count(settles.begin(), settles.end(), 1) == 0) return;
  if (system_.layers)
    throw Error(
        "settle: penalty layers know no rest by themselves; choose an implicit integrator, or leave 'settle' "
        "out");
  const RestReport rest =
      find_rest(system_, *drivers_, integrator_settings(scene_), settles, 1.0 / scene_.fps, state_);
  if (rest.found) return;
  const std::string name =
      rest.piece < 0 ? ""
                     : "body '" + scene_.bodies[std::size_t(body_of[std::size_t(rest.piece)])].name + "': ";
  if (rest.falls)
    throw Error(
        name + "does not come to rest: nothing holds it against what pulls at it; give it pins, targets or " +
        "something to lie on, or leave 'settle' out");
  throw Error(name + "no rest was found (forces of " + shortest(rest.residual) +
              " of its weight are left); it may slide, roll or buckle for ever: hold it better, stiffen it, "
              "or leave " +
              "'settle' out");
}

double Simulation::stable_step() const {
  const IntegratorSettings& settings = scene_.integrator;
  const bool hp = settings.type == IntegratorType::hp;
  if (!hp && settings.type != IntegratorType::symplectic_euler)
    return std::numeric_limits<double>::infinity();
  const double alpha = hp ? settings.alpha : 0.0;
  const DampingModel model = settings.damping.model;
  const bool kd = model == DampingModel::hp || model == DampingModel::hp_frozen;
  double bound = verve::stable_step(system_, state_, alpha, kd ? settings.damping.delta : 0.0);
  // A point in contact swings on a spring of 2 k besides.
  for (const ColliderSpec& collider : scene_.colliders) {
    double stiffest = collider.point_stiffness.empty() ? 1.0 : 0.0;
    for (double multiplier : collider.point_stiffness) stiffest = std::max(stiffest, multiplier);
    const double own = std::sqrt(2.0 * system_.mass.minCoeff() / (stiffest * collider.stiffness)) /
                       std::abs(1.0 - 2.0 * alpha);
    bound = std::min(bound, 1.0 / std::hypot(1.0 / bound, 1.0 / own));
  }
  return bound;
}

/// How much energy may have come from nowhere, as a share of the run's largest, before it has to be said.
double Simulation::growth_allowed() const {
  switch (scene_.integrator.type) {
    case IntegratorType::avf:
    case IntegratorType::backward_euler:
    case IntegratorType::bdf2:
    case IntegratorType::bathe:
      return std::max(0.002, 2.0 * scene_.integrator.newton.tolerance);
    default:  // these keep it on average only
      return 0.05;
  }
}

FrameReport Simulation::report() const {
  const InPhase phase(Phase::control);
  FrameReport report;
  report.frame = frame_;
  report.time = scene_.frame_time(frame_);
  report.levels = measure(system_, state_);
  report.ledger = state_.ledger;
  report.momentum = momenta(system_, state_.x, state_.v);
  report.contacts = state_.contact.touching;
  report.penetration = state_.contact.penetration;
  // What contact booked as work no motion did.
  const Ledger& ledger = state_.ledger;
  const double grown = report.levels.total() - ledger.expected_total() + std::max(0.0, ledger.booked);
  if (grown > growth_allowed() * ledger.largest) report.grown = grown;
  if (!system_.constraints.empty()) {
    Vector gap;
    system_.constraints.evaluate(state_.x, gap);
    report.constraint_gap = gap.cwiseAbs().maxCoeff();
    if (state_.constraint_force.size() != 0)
      report.constraint_force = state_.constraint_force.cwiseAbs().maxCoeff();
  }
  for (const auto& energy : system_.elastic) report.inverted += energy->inverted(state_.x);
  return report;
}

void Simulation::look(double time) const {
  if (cancelled(time)) throw Cancelled();
}

/// Whether the step from x turned elements over that shorter steps may keep upright.
bool Simulation::turns_over(const Vector& x, int halvings) const {
  if (halvings >= most_for_inversion || scene_.integrator.type == IntegratorType::asynchronous) return false;
  for (const auto& energy : system_.elastic)
    if (energy->resists_inversion()) {
      const int over = energy->inverted(state_.x);
      if (over > 0 && over > energy->inverted(x)) return true;
    }
  return false;
}

/// What the step of h seconds since `before` missed, as a multiple of what it may.
double Simulation::missed(const State& before, double h) {
  const InPhase phase(Phase::control);
  double error = control_->error(before, state_, h, 1.0 / scene_.fps);
  // Rest shapes that change by more than this in a step are better followed in shorter ones.
  constexpr double most_change = 0.003;
  for (std::size_t k = 0; k < std::min(system_.terms.size(), before.terms.size()); ++k)
    if (const auto* rest = dynamic_cast<const RestTerm*>(system_.terms[k].get()))
      error = std::max(error, std::pow(rest->change(before.terms[k], state_.terms[k]) / most_change, 2));
  // These keep the energy on average only, as long as their steps can follow the motion. The others keep it
  // exactly, or lose it by design.
  const IntegratorType type = scene_.integrator.type;
  if (type != IntegratorType::hp && type != IntegratorType::implicit_midpoint &&
      type != IntegratorType::newmark)
    return error;
  const EnergyLevels start = measure(system_, before), end = measure(system_, state_);
  const double drift =
      std::abs(end.total() - state_.ledger.expected_total() - start.total() + before.ledger.expected_total());
  // In the first step of a run that begins at rest there was nothing yet to measure it by.
  const double largest = std::max(before.ledger.largest, end.kinetic + end.elastic + end.contact);
  return std::max(error, control_->energy_error(drift, largest));
}

bool Simulation::try_step(double h, int halvings, FrameReport& report, std::string& problem) {
  look(state_.time);
  saved_[halvings] = state_;
  recall(system_, state_);
  maps_->set(state_.time + 0.5 * h);
  if (system_.contacts) system_.contacts->clear_impulse();
  StepReport steps = integrator_->step(*drivers_, state_, h);
  const bool taken = steps.solved && !turns_over(saved_[halvings].x, halvings);
  if (!taken) steps.residual = 0.0;  // that of a step that never was
  problem = steps.problem;
  report.steps.add(steps);
  report.steps.solved = true;
  if (!taken) state_ = saved_[halvings];
  return taken;
}

void Simulation::keep_step(double h) {
  const InPhase phase(Phase::control);
  EnergyLevels levels = measure(system_, state_);
  if (scene_.energy_target.kind != EnergyTargetSettings::Kind::none) {
    follow_energy_target(system_, scene_.energy_target, h, levels, state_);
    levels.kinetic = free_kinetic(system_, state_);
  }
  record(levels, state_.ledger);
}

void Simulation::give_up(const std::string& problem) const {
  if (!problem.empty()) throw SimulationError("frame " + std::to_string(frame_ + 1) + ": " + problem);
  throw SimulationError("frame " + std::to_string(frame_ + 1) +
                        ": the step did not converge, not even cut into " +
                        std::to_string(1 << most_halvings) +
                        " parts; look for extreme stiffness, mass or speed, or raise 'substeps'");
}

void Simulation::step(double h, int halvings, FrameReport& report) {
  std::string problem;
  if (try_step(h, halvings, report, problem)) {
    keep_step(h);
    if (control_) report.bound |= missed(saved_[halvings], h) > StepControl::acceptable;
    ++report.substeps;
    return;
  }
  if (halvings == most_halvings) give_up(problem);
  ++report.halvings;
  step(0.5 * h, halvings + 1, report);
  step(0.5 * h, halvings + 1, report);
}

void Simulation::step_by_motion(FrameReport& report) {
  const double frame = 1.0 / scene_.fps;
  constexpr int parts = 1 << most_halvings;
  const int deepest = std::min(control_->deepest(), most_halvings);
  std::string problem;
  for (int at = 0, level = state_.steps.level; at < parts;) {
    while (at % (parts >> level) != 0) ++level;  // a step begins at a multiple of its own length
    if (level < deepest) level = control_->foresee(state_, level, frame);
    const double h = frame / double(1 << level);
    if (!try_step(h, level, report, problem)) {
      if (level == most_halvings) give_up(problem);
      ++report.halvings;
      ++level;
      continue;
    }
    const int change = StepControl::change(missed(saved_[level], h));
    if (change > 0 && level < deepest) {
      state_ = saved_[level];
      level = std::min(level + change, deepest);
      continue;
    }
    report.bound |= change > 0;
    keep_step(h);
    ++report.substeps;
    report.finest = std::max(report.finest, 1 << level);
    at += parts >> level;
    state_.steps.level = level = std::clamp(level + std::min(change, 0), 0, std::max(deepest, level));
  }
}

FrameReport Simulation::advance() {
  const PhaseClock clock(times_);
  const auto begin = std::chrono::steady_clock::now();
  const State before = state_;
  FrameReport steps;
  try {
    integrator_->forget();
    integrator_->watch([this](double time) {
      look(time);
      if (progress_) progress_(time);
    });
    const IslandWatch watch{[this](double time) { return cancelled(time); }, progress_, trace_};
    if (islands_ && islands_->advance(frame_, *drivers_, watch, state_, steps)) {
      record(measure(system_, state_), state_.ledger);
    } else if (scene_.substeps == 0 && control_) {
      step_by_motion(steps);
    } else {
      const int count = std::max(1, scene_.substeps);
      for (int i = 0; i < count; ++i) step(1.0 / (scene_.fps * count), 0, steps);
    }
  } catch (...) {
    state_ = before;
    throw;
  }
  ++frame_;
  state_.time = scene_.frame_time(frame_);  // so that rounding does not add up over a long run
  FrameReport result = report();
  const InPhase phase(Phase::search);
  if (system_.contacts)
    result.passed = system_.contacts->passed(before.x, state_.x, before.time, scene_.frame_time(frame_));
  result.steps = steps.steps;
  result.halvings = steps.halvings;
  result.substeps = steps.substeps;
  result.finest = steps.finest;
  result.bound = steps.bound;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

void Simulation::restore(int frame, const State& state) {
  frame_ = frame;
  state_ = state;
  recall(system_, state_);
}

}  // namespace verve
