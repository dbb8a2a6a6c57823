#pragma once

#include "../SIM/SIM_Data.h"

#define SIM_DATA_CREATE(Parent, Name, DataClass, Flags) \
  ((DataClass*)(static_cast<SIM_Data&>(Parent)).createNamedSubData(Name, #DataClass, Flags))
#define SIM_DATA_GETCONST(Parent, Name, DataClass) \
  SIM_DATA_CASTCONST((Parent).getConstNamedSubData(Name), DataClass)
#define SIM_DATA_CASTCONST(data, DataClass) dynamic_cast<const DataClass*>(static_cast<const SIM_Data*>(data))
