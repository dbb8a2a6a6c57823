// The inverse of a static solve: rest shapes under which bodies are at rest where they stand.
#pragma once

#include "integrator/Integrator.h"

namespace verve {

struct SagReport {
  bool found = false;
  double residual = 0.0;  ///< the largest force that is left at a point, N
  int point = -1;         ///< where
  double share = 1.0;     ///< of the load that the rest shape bears
};

/// Gives the elements of the pieces with `free_of_sag` rest shapes (of tets) and rest lengths (of springs) so
/// that all forces cancel at state.x, pins, targets, terms and contact included. Where that cannot be had,
/// the nearest that can is taken. Throws an Error when a piece has elements whose rest shape is fixed.
///
/// Tets keep a rest shape that hangs together: Newton's method looks for its points, under a load that grows
/// where the whole of it is too much at once (inverse elastostatics, Govindjee and Mihalic 1996). The forces
/// of springs are linear in (the square of) their lengths: of those that only pull, or if need be of all, the
/// least change that balances the load is taken; those of a rope's corners are linear in their angles.
SagReport find_rest_shape(System& system, const Drivers& drivers, const std::vector<char>& free_of_sag,
                          double h, const State& state);

}  // namespace verve
