#pragma once

#include "../SYS/SYS_Types.h"

class PRM_Template;
class PRM_Callback {
 public:
  typedef int (*PRM_Callback64)(void* data, int index, fpreal64 time, const PRM_Template* tplate);
  PRM_Callback() = default;
  PRM_Callback(PRM_Callback64 call) : myCall(call) {}
  int operator()(void* data, int index, fpreal64 time, const PRM_Template* tplate) {
    return myCall(data, index, time, tplate);
  }
  bool isNotNull() const { return myCall; }

 private:
  PRM_Callback64 myCall = nullptr;
};
