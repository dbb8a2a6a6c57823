// Asynchronous variational integration: every potential has a clock of its own.
#pragma once

#include "asynchronous/Particles.h"
#include "integrator/Integrator.h"

namespace verve {

/// The event loop of the triangulation-free asynchronous integrator (E. Vouga et al., "Discrete penalty
/// layers admit multisymplectic integration", algorithm 3). Elements, targets and contact layers give
/// impulses at the ticks of their grids; at both ends of a step, where all grids meet, each gives half of
/// one, so that the state there is synchronised and its energy accurate to the second order. Contact is by
/// nested penalty layers (System::layers). Throws a SimulationError when a step would take more than
/// settings.max_events impulses and certificates.
/// `trace` sees every particle's way: the points of the system first, then those of mesh colliders.
std::unique_ptr<Integrator> make_asynchronous(System& system, const IntegratorSettings& settings,
                                              ParticleTrace trace = {});

}  // namespace verve
