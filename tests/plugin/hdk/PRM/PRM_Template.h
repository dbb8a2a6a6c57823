#pragma once

#include "../PRM/PRM_Callback.h"

#include "../../../DialogReader.h"

class PRM_Template {
 public:
  verve::test::DialogParm myParm;
  PRM_Callback myCallback;
  bool isEnd() const { return myParm.name.empty(); }
};
