#include "system/State.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace verve {

double Ledger::error(double total) const {
  const double gap = total - expected_total();
  return largest > 0.0 ? gap / largest : gap;
}

Vector chord_velocity(const State& state) {
  if (state.h_before == 0.0) return state.v;
  return (state.x - state.x_before) / state.h_before;
}

Momenta momenta(const System& system, const Vector& x, const Vector& v) {
  Momenta sum{Vec3::Zero(), Vec3::Zero()};
  for (int i = 0; i < system.points(); ++i) {
    const Vec3 p = system.mass[3 * Eigen::Index(i)] * point(v, i);
    sum.linear += p;
    sum.angular += Vec3(point(x, i)).cross(p);
  }
  return sum;
}

double free_kinetic(const System& system, const State& state) {
  double sum = 0.0;
  auto held = state.held.begin();
  for (int i = 0; i < system.points(); ++i) {
    if (held != state.held.end() && *held == i)
      ++held;
    else
      sum += 0.5 * system.mass[3 * Eigen::Index(i)] * point(state.v, i).squaredNorm();
  }
  return sum;
}

EnergyLevels measure(const System& system, const State& state) {
  EnergyLevels levels;
  for (std::size_t k = 0; k < std::min(system.terms.size(), state.terms.size()); ++k)
    system.terms[k]->recall(state.terms[k]);
  levels.kinetic = free_kinetic(system, state);
  levels.elastic = state.target_energy;
  for (const auto& energy : system.elastic) levels.elastic += energy->at(state.x);
  static const TermMemory nothing;
  for (std::size_t k = 0; k < system.terms.size(); ++k)
    levels.elastic += system.terms[k]->energy(state.x, k < state.terms.size() ? state.terms[k] : nothing);
  levels.contact = state.contact.energy;
  levels.gravity = -system.weight.dot(state.x);
  return levels;
}

void record(const EnergyLevels& levels, Ledger& ledger) {
  if (!ledger.open) {
    ledger.open = true;
    ledger.start_total = levels.total();
  }
  ledger.largest = std::max(ledger.largest, levels.kinetic + levels.elastic + levels.contact);
}

}  // namespace verve
