// Exact momenta and energy by changing the velocity a little after each step.
#pragma once

#include "system/State.h"

namespace verve {

/// AVF keeps energy and linear momentum but lets the angular momentum wander. This holds every free piece to
/// the momenta that outside forces give it: the rigid part of its velocity is replaced, the rest is scaled so
/// that the energy is what the ledger says. Pieces with held points exchange momentum with the pins and are
/// left alone.
class MomentumProjection {
 public:
  /// Before a step: notes the momenta that each piece has.
  void begin(const System& system, State& state);
  /// After a step of h seconds under `force`: all that acts from outside the pieces, contact and gravity
  /// included, on average over the step (N per degree of freedom).
  void end(const System& system, double h, const Vector& force, State& state);

 private:
  Vector x_before_;
  std::vector<Momenta> start_;
};

}  // namespace verve
