#pragma once

#include "../SIM/SIM_Data.h"

class SIM_OptionsUser {
 public:
  explicit SIM_OptionsUser(SIM_Data* data) : myData(data) {}
  const SIM_Options& getOptions() const { return myData->myOptions; }

 private:
  SIM_Data* myData;
};
