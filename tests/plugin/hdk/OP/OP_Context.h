#pragma once

#include "../SYS/SYS_Types.h"

class OP_Context {
 public:
  OP_Context(fpreal time = 0) : myTime(time) {}
  fpreal getTime() const { return myTime; }
  void setTime(fpreal time) { myTime = time; }

 private:
  fpreal myTime;
};
