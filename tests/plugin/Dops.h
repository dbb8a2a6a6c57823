// A small DOP network around the plugin's solver.
#pragma once

#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Force.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>
#include <SIM/SIM_Utils.h>

#include "Network.h"
#include "SIM_VerveSolver.h"
#include "SIM_VerveState.h"

class SIM_TestGravity : public SIM_Force {
 public:
  using SIM_Force::SIM_Force;
  static inline bool theRefusesSets = false;
  static inline int theSets = 0;

 protected:
  void getForceSubclass(const SIM_Object&, const UT_Vector3&, const UT_Vector3&, const UT_Vector3&,
                        const fpreal mass, UT_Vector3& force, UT_Vector3&) const override {
    force.assign(0, float(-9.81 * mass), 0);
  }
  bool getForceSetSubclass(const SIM_Object& object, const UT_Vector3Array& positions,
                           const UT_Vector3Array& velocities, const UT_Vector3Array& angular,
                           const UT_FloatArray& masses, UT_Vector3Array& forces,
                           UT_Vector3Array& torques) const override {
    if (theRefusesSets) return false;
    ++theSets;
    return SIM_Force::getForceSetSubclass(object, positions, velocities, angular, masses, forces, torques);
  }
  DECLARE_DATAFACTORY(SIM_TestGravity, SIM_Force, "Gravity", nullptr)
};
class SIM_TestFolder : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
  DECLARE_DATAFACTORY(SIM_TestFolder, SIM_Data, "Folder", nullptr)
};

namespace verve::test {

/// A DOP network with one soft object, gravity, and a floor that rises.
struct Dops {
  Dops() : object(1), floor(2) {
    verve_initialize_sim();
    SIM_GeometryCopy::createDataFactory();
    SIM_TestGravity::createDataFactory();
    SIM_TestFolder::createDataFactory();
    solver.reset(static_cast<SIM_Solver*>(SIM_DataFactory::all().at("SIM_VerveSolver")->myMake(nullptr)));
    geometry(object).myDetail = std::make_shared<GU_Detail>(houdini_block());
    object.createNamedSubData(SIM_FORCES_DATANAME, "SIM_TestFolder", 0)
        ->createNamedSubData("gravity", "SIM_TestGravity", 0);
    object.myAffectors = {&object, &floor};
  }
  static SIM_GeometryCopy& geometry(SIM_Object& o) {
    return *SIM_DATA_CREATE(o, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, SIM_DATA_RETURN_EXISTING);
  }
  SIM_Solver::SIM_Result solve(bool begin = false) {
    geometry(floor).myDetail = std::make_shared<GU_Detail>(houdini_floor(0));
    geometry(floor).myTransform.setTranslates(0, -.3 + .01 * step++, 0);
    return solve({&object}, begin ? std::vector<SIM_Object*>{&object} : std::vector<SIM_Object*>{});
  }
  SIM_Solver::SIM_Result solve(const std::vector<SIM_Object*>& all, const std::vector<SIM_Object*>& fresh) {
    SIM_ObjectArray objects, newobjects, feedback;
    for (SIM_Object* o : all) objects.append(o);
    for (SIM_Object* o : fresh) newobjects.append(o);
    return solver->solveObjects(engine, objects, newobjects, feedback, SIM_Time(1 / 24.));
  }
  std::vector<double> positions() { return geometry(object).myDetail->getP()->myValues; }

  SIM_Engine engine;
  SIM_Object object, floor;
  std::unique_ptr<SIM_Solver> solver;
  int step = 0;
};

}  // namespace verve::test
