#pragma once

#include "../SYS/SYS_Types.h"

class SIM_Time {
 public:
  SIM_Time(fpreal t = 0) : myTime(t) {}
  operator fpreal() const { return myTime; }

 private:
  fpreal myTime;
};
