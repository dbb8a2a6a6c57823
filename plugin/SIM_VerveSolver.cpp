#include "SIM_VerveSolver.h"

#include <GA/GA_Attribute.h>
#include <GA/GA_Handle.h>
#include <GA/GA_Iterator.h>
#include <GA/GA_Types.h>
#include <GU/GU_DetailHandle.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Error.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_Guide.h>
#include <SIM/SIM_GuidePerObject.h>
#include <SIM/SIM_GuideTimeDep.h>
#include <SIM/SIM_Names.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>
#include <SIM/SIM_Options.h>
#include <SIM/SIM_RootData.h>
#include <SIM/SIM_Utils.h>
#include <UT/UT_Error.h>
#include <UT/UT_Interrupt.h>
#include <UT/UT_Matrix4.h>
#include <UT/UT_VectorTypes.h>

#include <algorithm>

#include "DopObjects.h"
#include "HoudiniParameters.h"
#include "SIM_VerveState.h"
#include "base/Error.h"
#include "base/Parallel.h"

namespace {

const char* const stateName = "VerveState";

/// As POP solvers do: what POP nodes add to `force` counts for one step.
void clearForces(GU_Detail& detail) {
  GA_Attribute* attribute = detail.findAttribute(GA_ATTRIB_POINT, "force");
  const GA_RWHandleD force(attribute);
  if (!attribute || !force.isValid()) return;
  for (GA_Iterator it(detail.getPointRange()); !it.atEnd(); ++it)
    for (int k = 0; k < force.getTupleSize(); ++k) force.set(*it, k, 0.0);
  attribute->bumpDataId();
}

bool contains(const SIM_ObjectArray& objects, const SIM_Object* object) {
  for (exint i = 0; i < objects.entries(); ++i)
    if (objects(i) == object) return true;
  return false;
}

}  // namespace

const SIM_DopDescription* SIM_VerveSolver::getDescription() {
  static SIM_DopDescription description(true, "verve_solver", "Verve Solver", "Solver", classname(),
                                        verve::dop_templates());
  description.setGuideTemplates(verve::guide_templates());
  return &description;
}

/// Lines of the objects that are solved together hang on the first of them, and change with time.
SIM_Guide* SIM_VerveSolver::createGuideObjectSubclass() const {
  return new SIM_GuideTimeDep<SIM_GuidePerObject>(this);
}

void SIM_VerveSolver::buildGuideGeometrySubclass(const SIM_RootData& root, const SIM_Options& options,
                                                 const GU_DetailHandle& gdh, UT_DMatrix4* xform,
                                                 const SIM_Time&) const {
  if (gdh.isNull()) return;
  GU_DetailHandleAutoWriteLock lock(gdh);
  lock.getGdp()->clearAndDestroy();
  if (xform) xform->identity();
  const auto* state = SIM_DATA_GETCONST(root, stateName, SIM_VerveState);
  if (state && verve::shows_guides(options)) verve::append_lines(state->guides, *lock.getGdp());
}

SIM_Solver::SIM_Result SIM_VerveSolver::solveObjectsSubclass(SIM_Engine&, SIM_ObjectArray& objects,
                                                             SIM_ObjectArray& newobjects, SIM_ObjectArray&,
                                                             const SIM_Time& timestep) {
  for (const std::vector<SIM_Object*>& together : verve::meeting_objects(objects)) {
    const bool allNew = std::all_of(together.begin(), together.end(),
                                    [&](const SIM_Object* o) { return contains(newobjects, o); });
    const SIM_Result result = solveTogether(together, allNew, timestep);
    if (result != SIM_SOLVER_SUCCESS) return result;
  }
  return SIM_SOLVER_SUCCESS;
}

SIM_Solver::SIM_Result SIM_VerveSolver::solveTogether(const std::vector<SIM_Object*>& objects, bool allNew,
                                                      const SIM_Time& timestep) {
  std::vector<SIM_GeometryCopy*> geometries;
  std::vector<int> members;
  for (SIM_Object* object : objects) {
    geometries.push_back(SIM_DATA_CREATE(*object, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy,
                                         SIM_DATA_RETURN_EXISTING | SIM_DATA_ADOPT_EXISTING_ON_DELETE));
    if (!geometries.back()) return SIM_SOLVER_FAIL;
    members.push_back(object->getObjectId());
  }
  auto* state = SIM_DATA_CREATE(*objects[0], stateName, SIM_VerveState, SIM_DATA_RETURN_EXISTING);
  if (!state) return SIM_SOLVER_FAIL;
  std::vector<std::string> warnings;
  UT_AutoInterrupt boss("Simulating Verve");
  try {
    verve::NodeSettings settings = verve::node_settings(verve::values_of(getOptions()));
    settings.scene.gravity.setZero();  // it is among the network's forces
    settings.time_scale = 1.0;
    std::vector<verve::DetailStart> starts;
    const verve::NodeFrame frame = verve::read_objects(objects, settings, fpreal(timestep), starts, warnings);
    // Others than before, or in another company: they go on from where their geometry says that they are.
    verve::StepNode node = state->node;
    verve::NodeResult result;
    verve::isolated([&] {
      const bool begins = allNew || !node.begun() || state->members != members;
      if (begins) result = node.begin(frame);
      if (!begins || !allNew)
        result = node.step(frame, [&](double share) { return boss.wasInterrupted(int(100 * share)); });
    });
    for (std::size_t i = 0; i < objects.size(); ++i) {
      UT_DMatrix4 to_local;
      geometries[i]->getTransform(to_local);
      to_local.invert();
      SIM_GeometryAutoWriteLock lock(geometries[i], SIM_DATA_ID_PRESERVE);
      verve::write_detail(result.geometry, lock.getGdp(), &to_local, starts[i]);
      if (!allNew) clearForces(lock.getGdp());
    }
    state->node = std::move(node);
    state->members = members;
    state->guides = std::move(result.guides);
    state->pubHandleModification();
    for (const std::string& warning : result.warnings) warnings.push_back(warning);
  } catch (const verve::Cancelled&) {
    return SIM_SOLVER_FAIL;
  } catch (const std::exception& error) {
    addError(objects[0], SIM_MESSAGE, error.what(), UT_ERROR_ABORT);
    return SIM_SOLVER_FAIL;
  }
  for (const std::string& warning : warnings)
    addError(objects[0], SIM_MESSAGE, warning.c_str(), UT_ERROR_WARNING);
  return SIM_SOLVER_SUCCESS;
}
