#pragma once

#include "../GA/GA_Types.h"

class GA_Range {
 public:
  GA_Range(GA_Size count) : myCount(count) {}
  GA_Size myCount;
};
