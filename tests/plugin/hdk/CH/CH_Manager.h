#pragma once

#include "../SYS/SYS_Types.h"

/// 24 frames a second; frame 1 is at time 0.
class CH_Manager {
 public:
  fpreal getSample(fpreal time) const { return time * getSamplesPerSec() + 1; }
  fpreal getTime(fpreal sample) const { return (sample - 1) / getSamplesPerSec(); }
  fpreal getSamplesPerSec() const { return 24; }
};
inline CH_Manager* CHgetManager() {
  static CH_Manager manager;
  return &manager;
}
