#pragma once

#include "../SIM/SIM_Data.h"

class SIM_Engine;
class SIM_ObjectArray;

class SIM_Solver : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
  enum SIM_Result { SIM_SOLVER_SUCCESS, SIM_SOLVER_REPEAT, SIM_SOLVER_SUBSTEP, SIM_SOLVER_FAIL };
  /// `objects` affect each other, or are one; those of them that are made in this step are `newobjects`.
  SIM_Result solveObjects(SIM_Engine& engine, SIM_ObjectArray& objects, SIM_ObjectArray& newobjects,
                          SIM_ObjectArray& feedbacktoobjects, const SIM_Time& timestep) {
    return solveObjectsSubclass(engine, objects, newobjects, feedbacktoobjects, timestep);
  }

 protected:
  virtual SIM_Result solveObjectsSubclass(SIM_Engine&, SIM_ObjectArray&, SIM_ObjectArray&, SIM_ObjectArray&,
                                          const SIM_Time&) = 0;
};
