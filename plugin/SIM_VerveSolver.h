// The DOP verve_solver. Translates between DOP objects and verve::StepNode, nothing more. Objects that affect
// each other both ways are one simulation, in which they meet as bodies; what affects them one way only is a
// collider.
#pragma once

#include <SIM/SIM_DataUtils.h>
#include <SIM/SIM_DopDescription.h>
#include <SIM/SIM_OptionsUser.h>
#include <SIM/SIM_Solver.h>
#include <SIM/SIM_Time.h>
#include <UT/UT_StringHolder.h>
#include <UT/UT_VectorTypes.h>

#include <vector>

class GU_DetailHandle;
class SIM_DataFactory;
class SIM_Engine;
class SIM_Guide;
class SIM_Object;
class SIM_ObjectArray;
class SIM_Options;
class SIM_RootData;

class SIM_VerveSolver : public SIM_Solver, public SIM_OptionsUser {
 protected:
  explicit SIM_VerveSolver(const SIM_DataFactory* factory) : BaseClass(factory), SIM_OptionsUser(this) {}
  ~SIM_VerveSolver() override = default;

  SIM_Result solveObjectsSubclass(SIM_Engine& engine, SIM_ObjectArray& objects, SIM_ObjectArray& newobjects,
                                  SIM_ObjectArray& feedbacktoobjects, const SIM_Time& timestep) override;
  SIM_Guide* createGuideObjectSubclass() const override;
  void buildGuideGeometrySubclass(const SIM_RootData& root, const SIM_Options& options,
                                  const GU_DetailHandle& gdh, UT_DMatrix4* xform,
                                  const SIM_Time& time) const override;

 private:
  SIM_Result solveTogether(const std::vector<SIM_Object*>& objects, bool allNew, const SIM_Time& timestep);

  static const SIM_DopDescription* getDescription();
  DECLARE_STANDARD_GETCASTTOTYPE();
  DECLARE_DATAFACTORY(SIM_VerveSolver, SIM_Solver, "Verve Solver", getDescription());
};
