// How large a step may be, and whether a run has left the ground.
#pragma once

#include <limits>
#include <string>

#include "system/State.h"

namespace verve {

/// The largest frequency (rad/s) with which the system can swing about the state: the square root of the
/// largest eigenvalue of M^-1 H, H the stiffness at state.x with held points held, by Lanczos' method. An
/// upper bound up to the method's error estimate, which is added.
double largest_frequency(const System& system, const State& state);

/// The largest step (s) with which Hamilton-Pontryagin stepping is stable for small swings about the state:
/// h w < 2/|1 - 2 alpha|, less what explicit damping by kD (s) costs; infinite for alpha = 1/2.
double stable_step(const System& system, const State& state, double alpha, double kd = 0.0);

/// A sentence when the state is no longer a number or has far more kinetic energy than the ledger has to
/// give; else empty. h is the step that led there.
std::string blow_up(const System& system, const State& state, double h);

}  // namespace verve
