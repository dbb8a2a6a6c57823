#include "integrator/ChordSolver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/PhaseTimes.h"
#include "contact/Contacts.h"

namespace verve {

ChordSolver::ChordSolver(System& system, const IntegratorSettings& settings,
                         std::shared_ptr<StrainFlow> filter)
    : system_(system),
      conditions_(system.constraints, system.mass),
      newton_(system.pattern, make_constrained_solver(settings.linear, conditions_), settings.newton,
              system.rest),
      correction_(settings.correction == Correction::local),
      damping_(system, settings.damping, std::move(filter)) {
  const Eigen::Index n = system.mass.size();
  for (Vector* v :
       {&predictor, &x_, &load_, &contactless_gradient_, &start_gradient_, &average_gradient_, &half_way_})
    *v = Vector::Zero(n);
}

void ChordSolver::begin(const Drivers& drivers, State& state, double h) {
  h_ = h;
  time_ = state.time;
  boundary_.begin(system_, drivers, state, h);
  newton_.set_pattern(system_.pattern);
  if (conditions_.active()) {
    system_.constraints.check_held(state.held);
    conditions_.begin(state.held);
  }
  chord.x0 = state.x;
  load_ = system_.weight + boundary_.force();
  contactless_known_ = false;
  for (const auto& energy : system_.elastic) energy->clear_correction();
  // Residuals are measured against the run's energy. Before there is any, against what gravity and pins give
  // in a step, and at least against moving by a millionth of the bodies' size, so that round-off never
  // counts.
  const double mass = system_.mass.sum() / 3.0;
  const double fall = 0.5 * h * h * system_.gravity.squaredNorm() * mass;
  const auto places = state.x.reshaped(3, state.x.size() / 3);
  const double size = (places.rowwise().maxCoeff() - places.rowwise().minCoeff()).norm();
  const double creep = 0.5 * mass * (1e-6 * size / h) * (1e-6 * size / h);
  energy_scale_ = std::max({state.ledger.largest, fall, creep, boundary_.drive_energy(system_, state.x),
                            std::numeric_limits<double>::min()});
}

const Vector& ChordSolver::contactless_gradient() {
  const InPhase phase(Phase::evaluate);
  if (!contactless_known_) {
    contactless_gradient_ = -load_;
    for (const auto& energy : system_.elastic) energy->at(chord.x0, &contactless_gradient_);
    system_.targets.add_start_gradient(chord.x0, contactless_gradient_);
    contactless_known_ = true;
  }
  return contactless_gradient_;
}

const Vector& ChordSolver::start_gradient() {
  start_gradient_ = contactless_gradient();
  // Averaging rules know the contacts' force along the whole chord, its start included.
  if (system_.contacts && !chord.average) system_.contacts->add_start_gradient(start_gradient_);
  return start_gradient_;
}

const Vector& ChordSolver::half_way(const State& state) {
  half_way_ = contactless_gradient();
  for (const auto& term : system_.terms) term->add_explicit_gradient(chord.x0, state.v, half_way_);
  if (system_.contacts) system_.contacts->add_explicit_gradient(chord.x0, chord.x0, half_way_);
  boundary_.mask(half_way_);
  half_way_ = state.v.array() - 0.5 * h_ * half_way_.array() / system_.mass.array();
  if (conditions_.active()) conditions_.project_motion(half_way_);
  return half_way_;
}

NewtonReport ChordSolver::solve(const State& state) {
  place_.resize(chord.x0.size());
  // Before anything is evaluated: what is left of an earlier step would choose the guess, and a resumed run
  // has none.
  if (damping_.active()) damping_.begin(chord, state.v, h_, damping_use);
  x_ = chord.x0 + h_ * state.v;
  x_.array() += 0.5 * h_ * h_ * load_.array() / system_.mass.array();
  boundary_.place(x_);
  if (system_.contacts && !system_.contacts->make_feasible(x_)) return {};
  if (conditions_.active()) conditions_.linearize(constraint_center_ = chord.x0);
  // What swings faster than the steps has a velocity that turns over from step to step; the mean one of the
  // last step does not. The better of the two guesses is the one with less to minimise.
  if (state.h_before != 0.0 && state.x_before.size() == x_.size()) {
    trial_ = chord.x0 + h_ / state.h_before * (state.x - state.x_before);
    trial_.array() += 0.5 * h_ * (h_ + state.h_before) * load_.array() / system_.mass.array();
    boundary_.place(trial_);
    const bool possible = !system_.contacts || system_.contacts->make_feasible(trial_);
    const double straight = evaluate(x_, place_).value, smooth = evaluate(trial_, place_).value;
    if (possible && smooth < straight) x_.swap(trial_);
  }
  return minimize(state);
}

NewtonReport ChordSolver::solve_from_start(const State& state) {
  place_.resize(chord.x0.size());
  x_ = chord.x0;
  boundary_.place(x_);
  if (system_.contacts && !system_.contacts->make_feasible(x_)) return {};
  if (conditions_.active()) conditions_.linearize(constraint_center_ = chord.x0);
  return minimize(state);
}

NewtonReport ChordSolver::minimize(const State& state) {
  look_at_contacts(x_);
  if (damping_.filtered() && !damping_.filter(half_way(state), state.held)) return {};
  if (conditions_.active()) {
    constrain(x_);
    if (!constrained_) return {};
    if (system_.contacts) system_.contacts->give_way_at(x_);
  }
  NewtonReport report = newton_.minimize(*this, x_);
  if (!constrained_) report.exit = NewtonReport::Exit::failed;
  constexpr double shortest = 1.0 / 400.0;
  // Ways that are curved go past each other where straight ones would meet: shorter steps tell.
  if (report.solved() && system_.contacts && !system_.contacts->chord_is_free(x_))
    report.exit = NewtonReport::Exit::failed;
  // On the crease of a wall there may be no place where the forces of either side balance: shorter steps end
  // elsewhere. What the shortest of them leave open is booked.
  open_energy_ = 0.0;
  if (report.exit == NewtonReport::Exit::stagnated && chord.average && system_.contacts &&
      system_.contacts->has_walls()) {
    evaluate(x_, place_);
    const double open = 2.0 / (h_ * h_) * place_.dot(x_ - chord.x0);
    constexpr double negligible = 1e-9;
    if (std::abs(open) > negligible * energy_scale_) {
      if (std::abs(h_) > shortest) report.exit = NewtonReport::Exit::failed;
      open_energy_ = open;
    }
  }
  return report;
}

void ChordSolver::end(const Vector& v, State& state) {
  state.ledger.work += open_energy_, state.ledger.booked += open_energy_;
  if (damping_.active()) state.ledger.dissipated += damping_.dissipated(x_);
  // Only what pins and constraints take of it is booked; terms may keep what they find at the step's end.
  if (!state.held.empty() || conditions_.active() || !system_.terms.empty()) {
    average_gradient();
    if (damping_.active()) damping_.add_impulse_gradient(x_, average_gradient_);
  }
  if (!conditions_.active()) return boundary_.end(system_, chord, average_gradient_, x_, v, state);

  evaluate(x_, place_);  // for the multipliers of x_ itself, not of a trial that was turned down
  // Whoever holds pins feels the constraints as well.
  const double weight = constraint_place == 0.0 ? h_ * h_ : chord.average_weight();
  state.constraint_force = multiplier_ / -weight;
  conditions_.add_force(-1.0, state.constraint_force, average_gradient_);
  boundary_.end(system_, chord, average_gradient_, x_, v, state);
  if (constraint_place == 0.5) return;
  // The momentum across the constraints is theirs to give and take: without this the next step's impulse
  // would take it, so the motion stays the same.
  conditions_.linearize(x_);
  state.constraint_force += conditions_.project_motion(state.v) / h_;
}

const Vector& ChordSolver::average_gradient() {
  const InPhase phase(Phase::evaluate);
  average_gradient_.setZero();
  system_.evaluate(chord, x_, &average_gradient_);
  average_gradient_ /= chord.average_weight();
  if (chord.start_share != 0.0) average_gradient_ += chord.start_share * (start_gradient() + load_);
  average_gradient_ -= system_.weight;
  if (damping_.active()) damping_.add_average_gradient(x_, average_gradient_);
  return average_gradient_;
}

void ChordSolver::outside_force(Vector& force) const {
  force.setZero(x_.size());
  system_.targets.evaluate(chord, x_, &force);
  for (const auto& term : system_.terms)
    if (term->from_outside()) term->evaluate(chord, x_, &force);
  if (system_.contacts) system_.contacts->evaluate(chord, x_, &force);
  force /= -chord.average_weight();
  if (chord.start_share != 0.0) {
    Vector start = Vector::Zero(x_.size());
    system_.targets.add_start_gradient(chord.x0, start);
    force -= chord.start_share * start;
  }
  force += load_;
}

Objective::Value ChordSolver::evaluate(const Vector& x, Vector& gradient) {
  const InPhase phase(Phase::evaluate);
  const double weight = chord.force_weight();
  double inertia = 0.0, loaded = 0.0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double d = x[i] - predictor[i], f = weight * load_[i];
    inertia += 0.5 * system_.mass[i] * d * d;
    loaded -= f * (x[i] - chord.x0[i]);
    gradient[i] = system_.mass[i] * d - f;
  }
  double elastic = system_.evaluate(chord, x, &gradient);
  if (damping_.active()) elastic += damping_.evaluate(x, gradient);
  boundary_.mask(gradient);
  if (conditions_.active()) conditions_.project_gradient(gradient, multiplier_);
  return {inertia + elastic + loaded, inertia + std::abs(elastic) + std::abs(loaded)};
}

void ChordSolver::hessian(const Vector& x, double filter, BlockMatrix& hessian) {
  const InPhase phase(Phase::hessian);
  if (look_) look_(time_);
  // What came together since the step began is coupled by now: without that Newton's method creeps.
  if (system_.contacts && system_.contacts->couple_pressed(x)) {
    system_.finish();
    newton_.set_pattern(system_.pattern);  // `hessian` is its own
  }
  hessian.clear();
  for (int i = 0; i < system_.points(); ++i)
    for (int d : {0, 4, 8})
      hessian.values[9 * std::size_t(hessian.pattern->diagonal[i]) + d] = system_.mass[3 * Eigen::Index(i)];
  system_.add_hessian(chord, x, filter, hessian);
  if (damping_.active()) damping_.add_hessian(x, filter, hessian);
  boundary_.mask(system_, hessian);
}

Objective::Residual ChordSolver::residual(const Vector& x, const Vector& gradient) const {
  Residual residual;
  const double norm = std::sqrt((gradient.array().square() / system_.mass.array()).sum());
  residual.norm = 2.0 / std::abs(h_) * norm / std::sqrt(2.0 * energy_scale_) / residual_scale;
  // An averaging rule changes the energy by exactly (2/h^2) r.(x - x0): a thousand steps together shall stay
  // within the tolerance as well.
  if (chord.average)
    residual.energy = 1e3 * 2.0 / (h_ * h_) * std::abs(gradient.dot(x - chord.x0)) / energy_scale_;
  return residual;
}

bool ChordSolver::energy_direction(const Vector& x, Vector& direction) const {
  // r.(x - x0) = 0 is stationarity along the chord itself. Constraints would be left by going along it.
  if (!chord.average || conditions_.active()) return false;
  direction = x - chord.x0;
  boundary_.mask(direction);
  return true;
}

void ChordSolver::trace(NewtonTrace trace) {
  newton_.trace = nullptr;
  if (!trace) return;
  newton_.trace = [this, trace = std::move(trace)](NewtonRecord record) {
    record.time = time_;
    record.h = h_;
    if (record.event == NewtonRecord::Event::start) contact_was_.clear();
    if (record.event == NewtonRecord::Event::refresh || record.event == NewtonRecord::Event::close)
      record.refreshed = refreshed_;
    if (system_.contacts) {
      const std::vector<Contact>& list = system_.contacts->contacts();
      contact_was_.resize(list.size(), 0);
      for (std::size_t k = 0; k < list.size(); ++k) {
        const Vec3 at = list[k].gather(x_);
        const bool pushes = list[k].share > 0.0 && list[k].force(chord, list[k].gap(at)) != 0.0;
        const bool slips = pushes && list[k].bristle(at).norm() > list[k].bristle_limit();
        const char is = char(pushes + slips);
        record.contacts += pushes;
        record.changed += is != contact_was_[k];
        contact_was_[k] = is;
      }
    }
    trace(record);
  };
}

double ChordSolver::largest_step(const Vector& x, const Vector& direction) {
  return system_.contacts ? system_.contacts->largest_step(x, direction) : 1.0;
}

void ChordSolver::accepted(const Vector& from, const Vector& to) {
  if (system_.contacts) system_.contacts->follow(chord, from, to);
}

bool ChordSolver::foresee(const Vector& x, const Vector& trial) {
  return system_.contacts && system_.contacts->foresee(chord, x, trial);
}

double ChordSolver::motion(const Vector& change) const {
  // Lagged forces of contact chase digits of the stiffest vibrations that no motion shows. Elsewhere the last
  // iteration brings many digits at once, and a search for rest is after the forces.
  if (!system_.contacts || residual_scale != 1.0) return std::numeric_limits<double>::infinity();
  const double size = std::sqrt((system_.mass.array() * change.array().square()).sum());
  return 2.0 / std::abs(h_) * size / std::sqrt(2.0 * energy_scale_) / residual_scale;
}

bool ChordSolver::constrain(Vector& x) {
  // The directions depend on where x comes to lie: a few rounds settle both.
  const double round_off = 1e-15 * x.norm();
  for (int round = 0; round < 20; ++round) {
    place_ = chord.x0 + constraint_place * (x - chord.x0);
    const bool turned = (place_ - constraint_center_).norm() > round_off;
    if (turned) {
      constraint_center_ = place_;
      conditions_.linearize(place_);
    }
    place_ = x;
    constrained_ = conditions_.satisfy(x);
    const bool moved = (x - place_).norm() > round_off;
    if (!constrained_ || !(turned || moved)) return round > 0;
  }
  return true;
}

bool ChordSolver::look_at_contacts(const Vector& x) {
  const InPhase phase(Phase::search);
  return system_.contacts && system_.contacts->update_correction(chord, x);
}

bool ChordSolver::refresh(Vector& x, double left) {
  // Far from the solution the filter's impulse may seem to feed energy that it does not.
  constexpr double near = 0.1;
  refreshed_.clear();
  const auto note = [this](bool changed, const char* term) {
    if (changed) refreshed_ += refreshed_.empty() ? term : std::string("+") + term;
  };
  note(look_at_contacts(x), "contact");
  if (damping_.active()) {
    note(damping_.refresh(x), "damping");
    note(left <= near && damping_.refuse_filter(x), "filter");
  }
  for (const auto& term : system_.terms) note(term->refresh(chord, x), term->name());
  if (conditions_.active()) {
    note(constrain(x), "constraint");
    if (system_.contacts) system_.contacts->give_way_at(x);
  }
  if (correction_) {
    bool changed = false;
    for (const auto& energy : system_.elastic) changed |= energy->update_correction(chord, x);
    note(changed, "correction");
  }
  return !refreshed_.empty();
}

}  // namespace verve
