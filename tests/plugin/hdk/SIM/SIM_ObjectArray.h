#pragma once

#include "../SIM/SIM_Object.h"
#include "../UT/UT_Array.h"

class SIM_ObjectArray : public UT_Array<SIM_Object*> {};

inline void SIM_Object::getAffectors(SIM_ObjectArray& out, const char* type) {
  if (type == std::string("SIM_RelationshipCollide"))
    for (SIM_Object* o : myAffectors) out.append(o);
}
