// Each moment of a frame belongs to one phase.
#include "base/PhaseTimes.h"

#include <gtest/gtest.h>

#include <thread>

namespace verve {
namespace {

void pass() {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

constexpr double least = 0.001;  ///< s, of what pass() takes at least

TEST(PhaseTimes, TheInnermostPhaseIsCharged) {
  PhaseTimes times;
  const auto begin = std::chrono::steady_clock::now();
  {
    const PhaseClock clock(&times);
    pass();
    const InPhase outer(Phase::control);
    pass();
    {
      const InPhase inner(Phase::evaluate);
      pass();
    }
    pass();
  }
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_GT(times[Phase::other], least);
  EXPECT_GT(times[Phase::control], 2 * least);
  EXPECT_GT(times[Phase::evaluate], least);
  EXPECT_EQ(times[Phase::hessian], 0.0);
  EXPECT_LE(times.total(), all);
  EXPECT_GT(times.total(), 4 * least);
}

TEST(PhaseTimes, AWholePhaseCoversWhatLiesInside) {
  PhaseTimes times;
  const PhaseClock clock(&times);
  {
    const InPhase searching(Phase::line_search, InPhase::whole);
    const InPhase inner(Phase::evaluate);
    pass();
  }
  EXPECT_GT(times[Phase::line_search], least);
  EXPECT_EQ(times[Phase::evaluate], 0.0);
  {
    const InPhase after(Phase::evaluate);
    pass();
  }
  EXPECT_GT(times[Phase::evaluate], least);
}

TEST(PhaseTimes, ClocksNestAndAreTheirThreadsOwn) {
  PhaseTimes outer, inner;
  const PhaseClock clock(&outer);
  {
    const InPhase phase(Phase::output);
    const PhaseClock nobody(nullptr);  // leaves the other one running
    const PhaseClock own(&inner);
    const InPhase solving(Phase::solve);
    pass();
  }
  std::thread([] {
    const InPhase elsewhere(Phase::damping);
    pass();
  }).join();
  { const InPhase phase(Phase::control); }
  EXPECT_GT(inner[Phase::solve], least);
  EXPECT_EQ(outer[Phase::solve] + outer[Phase::damping] + inner[Phase::damping], 0.0);
  EXPECT_GT(outer[Phase::other], least);  // waited for the thread
}

}  // namespace
}  // namespace verve
