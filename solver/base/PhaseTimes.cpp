#include "base/PhaseTimes.h"

#include <numeric>

namespace verve {

const char* phase_name(Phase phase) {
  constexpr const char* names[phase_count] = {"other", "contact search", "evaluate", "Hessian", "factor",
                                              "solve", "line search",    "damping",  "control", "output"};
  return names[std::size_t(phase)];
}

double PhaseTimes::total() const {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

thread_local PhaseClock::Running PhaseClock::running_;

void PhaseClock::Running::charge() {
  const auto now = std::chrono::steady_clock::now();
  times->seconds[std::size_t(phase)] += std::chrono::duration<double>(now - since).count();
  since = now;
}

PhaseClock::PhaseClock(PhaseTimes* times) : active_(times) {
  if (!active_) return;
  if (running_.times) running_.charge();
  outer_ = running_;
  running_ = {times, Phase::other, false, std::chrono::steady_clock::now()};
}

PhaseClock::~PhaseClock() {
  if (!active_) return;
  running_.charge();
  outer_.since = running_.since;
  running_ = outer_;
}

InPhase::InPhase(Phase phase, Cover cover) {
  PhaseClock::Running& running = PhaseClock::running_;
  active_ = running.times && !running.whole;
  if (!active_) return;
  running.charge();
  outer_ = running.phase;
  running.phase = phase;
  running.whole = cover == whole;
}

InPhase::~InPhase() {
  if (!active_) return;
  PhaseClock::Running& running = PhaseClock::running_;
  running.charge();
  running.phase = outer_;
  running.whole = false;
}

}  // namespace verve
