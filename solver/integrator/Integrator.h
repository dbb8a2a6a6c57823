// One door to every time integrator.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "damping/DampingSettings.h"
#include "linear/LinearSolver.h"
#include "minimize/Newton.h"
#include "system/State.h"

namespace verve {

enum class IntegratorType {
  avf,
  hp,
  backward_euler,
  implicit_midpoint,
  newmark,
  bdf2,
  bathe,
  symplectic_euler,
  asynchronous,
};

/// Whether AVF closes the energy balance element by element, which makes it exact for any material.
/// Automatic: where the quadrature is automatic too and not exact by itself.
enum class Correction { automatic, none, local };

struct IntegratorSettings {
  IntegratorType type = IntegratorType::avf;
  static constexpr int automatic = -1;
  /// AVF: points of the Gauss rule; 0 is Simpson's rule. Automatic: Simpson's where it is exact, else Gauss's
  /// of two.
  int gauss = automatic;
  Correction correction = Correction::automatic;
  double alpha = 0.5;  ///< HP: where along the chord the force is sampled
  int order = 2;       ///< 4 or 6: by composition of a symmetric scheme
  bool project_momentum = false;
  double safety = 0.1;  ///< asynchronous: elements' steps as a share of the largest stable ones
  std::int64_t max_events = 100000000000;  ///< asynchronous: a step that takes more is given up
  DampingSettings damping;
  NewtonOptions newton;
  LinearKind linear = LinearKind::automatic;
};

/// Whether the steps need no equations to be solved; they are bound by stability then.
bool is_explicit(const IntegratorSettings& settings);

/// What one step took.
struct StepReport {
  bool solved = true;
  std::string problem;  ///< when not solved and the reason is known: a sentence for the artist
  int newton_iterations = 0;
  int linear_iterations = 0;
  int factorizations = 0;
  int stagnated = 0;        ///< solves that ended at round-off above the tolerance
  double residual = 0.0;    ///< the largest
  std::int64_t events = 0;  ///< of the asynchronous integrator
  int deepest_layer = 0;    ///< that contact reached there

  void add(const NewtonReport& newton);
  void add(const StepReport& step);
};

/// Advances states by steps of any size. Owns its workspace; works on the system it was made for.
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Advances `state` by h seconds (negative inside compositions) and keeps its ledger. When the report says
  /// that the step was not solved, the state is to be thrown away.
  virtual StepReport step(const Drivers& drivers, State& state, double h) = 0;
  /// Drops what was kept from earlier steps to save time (factors of old matrices). Results then depend on
  /// the state alone: a run resumed here equals the unbroken one.
  virtual void forget() {}
  /// Throws an Error for a first state that it cannot go on from.
  virtual void check(const State& state) const { (void)state; }
  /// Long steps call `look` from time to time with the simulated time; it may throw to end them.
  virtual void watch(std::function<void(double time)> look) { (void)look; }
  /// Implicit steps tell `trace` of every event of their minimisations.
  virtual void trace(NewtonTrace trace) { (void)trace; }
};

}  // namespace verve
