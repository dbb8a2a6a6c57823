#include "system/Boundary.h"

#include <algorithm>

#include "base/PhaseTimes.h"
#include "contact/Contacts.h"

namespace verve {
namespace {

void book(const TermBooks& books, Ledger& ledger) {
  ledger.work += books.work;
  ledger.dissipated += books.dissipated;
}

}  // namespace

void change_held(const System& system, const std::vector<Pin>& pins, State& state) {
  std::vector<int> held;
  held.reserve(pins.size());
  for (const Pin& pin : pins) held.push_back(pin.point);
  if (held == state.held) return;
  const auto kinetic = [&](int i) {
    return 0.5 * system.mass[3 * Eigen::Index(i)] * point(state.v, i).squaredNorm();
  };
  for (int i : held)
    if (!std::binary_search(state.held.begin(), state.held.end(), i)) state.ledger.work -= kinetic(i);
  for (int i : state.held)
    if (!std::binary_search(held.begin(), held.end(), i)) state.ledger.work += kinetic(i);
  state.held = std::move(held);
}

void hold(const std::vector<int>& held, const System& system, BlockMatrix& matrix) {
  const BlockPattern& pattern = *matrix.pattern;
  for (int i : held) {
    for (int k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
      std::fill_n(&matrix.values[9 * std::size_t(k)], 9, 0.0);
      const int mirror = pattern.find(pattern.column[k], i);
      std::fill_n(&matrix.values[9 * std::size_t(mirror)], 9, 0.0);
    }
    double* diagonal = &matrix.values[9 * std::size_t(pattern.diagonal[i])];
    for (int d : {0, 4, 8}) diagonal[d] = system.mass[3 * Eigen::Index(i)];
  }
  for (int k = 0; k < matrix.dyad_count; ++k) {
    Dyad& dyad = matrix.dyads[std::size_t(k)];
    for (std::size_t p = 0; p < dyad.points->size(); ++p)
      if (std::binary_search(held.begin(), held.end(), (*dyad.points)[p])) point(dyad.u, int(p)).setZero();
  }
}

void Boundary::begin(System& system, const Drivers& drivers, State& state, double h) {
  h_ = h;
  drivers.pins(state.time + h, pins_);
  change_held(system, pins_, state);
  held_ = state.held;

  drivers.targets(state.time, targets_start_);
  drivers.targets(state.time + h, targets_end_);
  system.targets.begin_step(targets_start_, targets_end_, h);
  state.ledger.work += system.targets.start_energy(state.x) - state.target_energy;

  state.terms.resize(system.terms.size());
  for (std::size_t k = 0; k < system.terms.size(); ++k)
    book(system.terms[k]->begin(drivers, state, h, state.terms[k]), state.ledger);

  if (system.contacts) {
    const InPhase phase(Phase::search);
    system.contacts->set_held(held_);
    const ContactBooks books = system.contacts->begin_step(state.x, state.v, state.time, h, state.contact);
    state.ledger.work += books.work;
    state.ledger.dissipated += books.dissipated;
    state.ledger.booked += books.booked;
    if (system.contacts->pairs_changed()) system.finish();
  }

  force_.setZero(state.x.size());
  drivers.add_forces(state.time + 0.5 * h, force_);
}

double Boundary::drive_energy(const System& system, const Vector& x0) const {
  double sum = 0.0;
  for (const Pin& pin : pins_)
    sum += 0.5 * system.mass[3 * Eigen::Index(pin.point)] *
           ((pin.position - point(x0, pin.point)) / h_).squaredNorm();
  return sum;
}

void Boundary::place(Vector& x) const {
  for (const Pin& pin : pins_) point(x, pin.point) = pin.position;
}

void Boundary::mask(Vector& gradient) const {
  for (const Pin& pin : pins_) point(gradient, pin.point).setZero();
}

void Boundary::mask(const System& system, BlockMatrix& hessian) const {
  hold(held_, system, hessian);
}

void Boundary::end(const System& system, const Chord& chord, const Vector& gradient, const Vector& x,
                   const Vector& v, State& state) {
  const Vector& x0 = chord.x0;
  double work = force_.dot(x - x0) + system.targets.work(chord, x);
  for (const Pin& pin : pins_)
    work += Vec3(point(gradient, pin.point) - point(force_, pin.point))
                .dot(point(x, pin.point) - point(x0, pin.point));
  state.ledger.work += work;
  state.ledger.dissipated += system.targets.dissipated(chord, x);
  state.target_energy = system.targets.end_energy(x);
  for (std::size_t k = 0; k < system.terms.size(); ++k)
    book(system.terms[k]->end(chord, x, state.terms[k]), state.ledger);
  if (system.contacts) {
    const InPhase phase(Phase::search);
    const ContactBooks books = system.contacts->end_step(chord, x, state.contact);
    state.ledger.work += books.work;
    state.ledger.dissipated += books.dissipated;
    state.ledger.booked += books.booked;
  }
  state.v = v;
  for (const Pin& pin : pins_) point(state.v, pin.point) = (point(x, pin.point) - point(x0, pin.point)) / h_;
  // Rules that promise no energy balance have none to close.
  if (system.contacts && chord.average) {
    const ContactBooks books = system.contacts->close_balance(state.v, state.contact);
    state.ledger.work += books.work;
    state.ledger.booked += books.booked;
  }
  state.x = x;
  state.time += h_;
}

}  // namespace verve
