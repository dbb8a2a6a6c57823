// The bodies whose rest shape or stiffness changes during a run.
#pragma once

#include "energy/BendingEnergy.h"
#include "simulation/Scene.h"

namespace verve {

/// The energies that bodies were compiled to, each with all bodies of its kind in their order.
struct CompiledEnergies {
  std::array<Energy*, 4> tets{};     ///< by TetModel; null: there are none
  std::array<Energy*, 2> springs{};  ///< by SpringModel
  Energy* membrane = nullptr;
  ChangingBends bends;
  Energy* corners = nullptr;  ///< of ropes
};

/// Whether what it is made of may deform for good: linear tets, membranes that bend, ropes.
bool knows_plasticity(const Body& body);

/// Whether anything of it changes.
bool changes_shape(const Body& body);

/// `rest` has where all points are when nothing is deformed.
/// Adds the term of those bodies whose rest shape or stiffness changes, if there are any. Throws an Error
/// that names a body which cannot change so.
void add_rest_term(const Scene& scene, const CompiledEnergies& energies, const Vector& rest, System& system,
                   State& state);

}  // namespace verve
