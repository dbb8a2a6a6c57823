#include "SIM_VerveSolver.h"

#include <SIM/SIM_DataFilter.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Force.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>
#include <UT/UT_Interrupt.h>

#include "HoudiniGeometry.h"
#include "HoudiniParameters.h"
#include "SIM_VerveState.h"
#include "geometry/Merge.h"

namespace {

const char* const stateName = "VerveState";

/// A geometry in world space; null when there is none.
std::shared_ptr<verve::Geometry> readGeometry(const SIM_Geometry* geometry,
                                              std::vector<std::string>& warnings) {
  const SIM_GeometryAutoReadLock lock(geometry);
  if (!lock.getGdp()) return nullptr;
  UT_DMatrix4 transform;
  geometry->getTransform(transform);
  return std::make_shared<verve::Geometry>(verve::read_detail(*lock.getGdp(), warnings, &transform));
}

/// The objects that collide with this one, all in one geometry in world space; null when there are none.
std::shared_ptr<const verve::Geometry> readColliders(SIM_Object& object, std::vector<std::string>& warnings) {
  std::shared_ptr<verve::Geometry> all;
  SIM_ObjectArray affectors;
  object.getAffectors(affectors, "SIM_RelationshipCollide");
  for (exint i = 0; i < affectors.entries(); ++i) {
    const SIM_Object* affector = affectors(i);
    if (affector->getObjectId() == object.getObjectId()) continue;
    const std::shared_ptr<verve::Geometry> read = readGeometry(affector->getGeometry(), warnings);
    if (read && all) verve::append(*all, *read);
    if (!all) all = read;
  }
  return all;
}

/// The network's forces, gravity among them, as an attribute of the points.
void addForces(const SIM_Object& object, const verve::NodeSettings& settings, verve::Geometry& geometry) {
  SIM_ConstDataArray forces;
  object.filterConstSubData(forces, nullptr, SIM_DataFilterByType("SIM_Force"), SIM_FORCES_DATANAME,
                            SIM_DataFilterNone());
  if (forces.entries() == 0) return;
  verve::NodeFrame frame;
  frame.settings = settings;
  frame.bodies = std::make_shared<verve::Geometry>(geometry);
  const std::vector<double> masses = verve::StepNode::point_masses(frame);
  const verve::Attribute* velocity = geometry.find(verve::Owner::Point, "v");
  auto& sum = geometry.add<double>(verve::Owner::Point, "force", 3, "vector");
  for (int p = 0; p < geometry.point_count; ++p) {
    const auto at = std::size_t(3 * p);
    const verve::Vec3 place = geometry.position(p);
    UT_Vector3 v(0, 0, 0);
    if (velocity) v.assign(velocity->number(at), velocity->number(at + 1), velocity->number(at + 2));
    for (exint i = 0; i < forces.entries(); ++i) {
      const auto* force = SIM_DATA_CASTCONST(forces(i), SIM_Force);
      if (!force) continue;
      UT_Vector3 newtons(0, 0, 0), torque(0, 0, 0);
      force->getForce(object, UT_Vector3(place[0], place[1], place[2]), v, UT_Vector3(0, 0, 0),
                      masses[std::size_t(p)], newtons, torque);
      for (int k = 0; k < 3; ++k) sum[at + std::size_t(k)] += newtons(k);
    }
  }
}

}  // namespace

const SIM_DopDescription* SIM_VerveSolver::getDescription() {
  static SIM_DopDescription description(true, "verve_solver", "Verve Solver", "Solver", classname(),
                                        verve::dop_templates());
  return &description;
}

verve::NodeFrame SIM_VerveSolver::readFrame(SIM_Object& object, SIM_GeometryCopy& geometry,
                                            const SIM_Time& timestep,
                                            std::vector<std::string>& warnings) const {
  verve::NodeFrame frame;
  frame.fps = 1.0 / fpreal(timestep);
  frame.settings = verve::node_settings(verve::values_of(getOptions()));
  frame.settings.scene.gravity.setZero();  // it is among the network's forces
  frame.settings.time_scale = 1.0;
  const std::shared_ptr<verve::Geometry> bodies = readGeometry(&geometry, warnings);
  if (!bodies) throw verve::Error("the object has no geometry to simulate");
  addForces(object, frame.settings, *bodies);
  frame.bodies = bodies;
  const char* constraints = frame.settings.constraint_data.c_str();
  frame.targets = readGeometry(SIM_DATA_GETCONST(object, constraints, SIM_Geometry), warnings);
  frame.colliders = readColliders(object, warnings);
  return frame;
}

SIM_Solver::SIM_Result SIM_VerveSolver::solveSingleObjectSubclass(SIM_Engine&, SIM_Object& object,
                                                                  SIM_ObjectArray&, const SIM_Time& timestep,
                                                                  bool newobject) {
  auto* geometry = SIM_DATA_CREATE(object, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy,
                                   SIM_DATA_RETURN_EXISTING | SIM_DATA_ADOPT_EXISTING_ON_DELETE);
  auto* state = SIM_DATA_CREATE(object, stateName, SIM_VerveState, SIM_DATA_RETURN_EXISTING);
  if (!geometry || !state) return SIM_SOLVER_FAIL;
  std::vector<std::string> warnings;
  UT_AutoInterrupt boss("Simulating Verve");
  try {
    const verve::NodeFrame frame = readFrame(object, *geometry, timestep, warnings);
    const bool begins = newobject || !state->node.begun();
    const verve::NodeResult result =
        begins ? state->node.begin(frame)
               : state->node.step(frame, [&](double share) { return boss.wasInterrupted(int(100 * share)); });
    UT_DMatrix4 to_local;
    geometry->getTransform(to_local);
    to_local.invert();
    SIM_GeometryAutoWriteLock lock(geometry, SIM_DATA_ID_PRESERVE);
    verve::write_detail(result.geometry, lock.getGdp(), &to_local);
    for (const std::string& warning : result.warnings) warnings.push_back(warning);
  } catch (const verve::Cancelled&) {
    return SIM_SOLVER_FAIL;
  } catch (const std::exception& error) {
    addError(&object, SIM_MESSAGE, error.what(), UT_ERROR_ABORT);
    return SIM_SOLVER_FAIL;
  }
  for (const std::string& warning : warnings)
    addError(&object, SIM_MESSAGE, warning.c_str(), UT_ERROR_WARNING);
  return SIM_SOLVER_SUCCESS;
}
