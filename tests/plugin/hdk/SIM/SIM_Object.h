#pragma once

#include "../SIM/SIM_Geometry.h"
#include "../SIM/SIM_Names.h"
#include "../SIM/SIM_RootData.h"

class SIM_ObjectArray;
class SIM_Object : public SIM_RootData {
 public:
  explicit SIM_Object(int id) : SIM_RootData(nullptr), myId(id) {}
  int getObjectId() const { return myId; }
  const SIM_Geometry* getGeometry() const {
    const auto at = mySubData.find(SIM_GEOMETRY_DATANAME);
    return at == mySubData.end() ? nullptr : dynamic_cast<const SIM_Geometry*>(at->second.get());
  }
  void getAffectors(SIM_ObjectArray& out, const char* type);
  std::vector<SIM_Object*> myAffectors;

 private:
  int myId;
};
