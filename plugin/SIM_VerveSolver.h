// The DOP verve_solver. Translates between a DOP object and verve::StepNode, nothing more.
#pragma once

#include <SIM/SIM_DopDescription.h>
#include <SIM/SIM_OptionsUser.h>
#include <SIM/SIM_SingleSolver.h>

#include "node/NodeInputs.h"

class SIM_GeometryCopy;

class SIM_VerveSolver : public SIM_SingleSolver, public SIM_OptionsUser {
 protected:
  explicit SIM_VerveSolver(const SIM_DataFactory* factory) : BaseClass(factory), SIM_OptionsUser(this) {}
  ~SIM_VerveSolver() override = default;

  SIM_Result solveSingleObjectSubclass(SIM_Engine& engine, SIM_Object& object,
                                       SIM_ObjectArray& feedbacktoobjects, const SIM_Time& timestep,
                                       bool newobject) override;

 private:
  verve::NodeFrame readFrame(SIM_Object& object, SIM_GeometryCopy& geometry, const SIM_Time& timestep,
                             std::vector<std::string>& warnings) const;

  static const SIM_DopDescription* getDescription();
  DECLARE_STANDARD_GETCASTTOTYPE();
  DECLARE_DATAFACTORY(SIM_VerveSolver, SIM_SingleSolver, "Verve Solver", getDescription());
};
