// Where bodies come to rest under their load: the steps' own minimiser without inertia.
#pragma once

#include "integrator/Integrator.h"

namespace verve {

struct RestReport {
  bool found = false;
  int piece = -1;         ///< when not found: the one that goes furthest, or -1
  bool falls = false;     ///< nothing holds that piece
  double residual = 0.0;  ///< of the forces, as a share of the bodies' weight
  StepReport steps;
};

/// Moves the pieces with `settles` to where all forces cancel, pins, targets, terms, contact and friction
/// included; the others stay where they are. `state` is the first of a run: it gets the places, no velocity
/// there, and what contact and the terms remember, but neither time nor books go on.
///
/// Implicit steps without memory of any motion, of growing length, lead there from far away (the proximal
/// point method): each goes downhill, and the longest know no inertia. A place from which any small push
/// leads on is not rest; there the search is pushed.
RestReport find_rest(System& system, const Drivers& drivers, const IntegratorSettings& settings,
                     const std::vector<char>& settles, double h, State& state);

}  // namespace verve
