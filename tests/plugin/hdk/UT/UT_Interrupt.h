#pragma once

#include <vector>

/// Says yes from the given call on, when told so by a test.
class UT_AutoInterrupt {
 public:
  explicit UT_AutoInterrupt(const char* message) { (void)message; }
  bool wasInterrupted(int percent = -1) {
    if (percent >= 0) thePercents.push_back(percent);
    return theCallsLeft >= 0 && theCallsLeft-- == 0;
  }
  static inline int theCallsLeft = -1;
  static inline std::vector<int> thePercents;
};
