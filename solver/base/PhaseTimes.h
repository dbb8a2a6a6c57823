// Where the time of a frame goes, by phase: for benchmarks.
#pragma once

#include <array>
#include <chrono>

namespace verve {

enum class Phase {
  other,        ///< whatever no other phase covers
  search,       ///< contact: who is near whom, and looks at the true geometry
  evaluate,     ///< energies and gradients, but for those of line searches
  hessian,      ///< assembly, filtering included
  factor,       ///< factorisations and multigrid hierarchies, symbolic work included
  solve,        ///< conjugate gradients and triangular solves
  line_search,  ///< with its evaluations
  damping,      ///< flows and filters of velocities, with their matrices and solves
  control,      ///< choice of steps, books and reports
  output,       ///< conversion and export of geometry
};
constexpr int phase_count = int(Phase::output) + 1;
const char* phase_name(Phase phase);

/// Seconds on the thread that advances a simulation, each moment in one phase only.
struct PhaseTimes {
  std::array<double, phase_count> seconds{};

  double operator[](Phase phase) const { return seconds[std::size_t(phase)]; }
  double total() const;
};

/// While it lives, what its thread does is charged to `times`. Null leaves everything as it is.
class PhaseClock {
 public:
  explicit PhaseClock(PhaseTimes* times);
  ~PhaseClock();
  PhaseClock(const PhaseClock&) = delete;
  PhaseClock& operator=(const PhaseClock&) = delete;

 private:
  friend class InPhase;
  struct Running {
    PhaseTimes* times = nullptr;
    Phase phase = Phase::other;
    bool whole = false;  ///< the phase covers what lies inside, whatever that calls itself
    std::chrono::steady_clock::time_point since;

    void charge();
  };
  static thread_local Running running_;
  Running outer_;
  bool active_;
};

/// The thread is in a phase until the end of the block. Nearly free where no clock runs.
class InPhase {
 public:
  enum Cover { own, whole };
  explicit InPhase(Phase phase, Cover cover = own);
  ~InPhase();
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  Phase outer_;
  bool active_;
};

}  // namespace verve
