#pragma once

#include "../SIM/SIM_Data.h"

class SIM_RootData : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
};
