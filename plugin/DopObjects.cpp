#include "DopObjects.h"

#include <SIM/SIM_Data.h>
#include <SIM/SIM_DataFilter.h>
#include <SIM/SIM_Force.h>
#include <SIM/SIM_Geometry.h>
#include <SIM/SIM_Names.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>
#include <SIM/SIM_Utils.h>
#include <UT/UT_Matrix4.h>
#include <UT/UT_ValArray.h>
#include <UT/UT_Vector3.h>
#include <UT/UT_VectorTypes.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/Error.h"
#include "geometry/Merge.h"
#include "mesh/UnionFind.h"
#include "node/StepNode.h"

namespace verve {
namespace {

/// A geometry in world space; null when there is none.
std::shared_ptr<Geometry> read_geometry(const SIM_Geometry* geometry, std::vector<std::string>& warnings) {
  const SIM_GeometryAutoReadLock lock(geometry);
  if (!lock.getGdp()) return nullptr;
  UT_DMatrix4 transform;
  geometry->getTransform(transform);
  return std::make_shared<Geometry>(read_detail(*lock.getGdp(), warnings, &transform));
}

std::set<int> affectors_of(SIM_Object& object) {
  SIM_ObjectArray affectors;
  object.getAffectors(affectors, "SIM_RelationshipCollide");
  std::set<int> ids;
  for (exint i = 0; i < affectors.entries(); ++i) ids.insert(affectors(i)->getObjectId());
  return ids;
}

/// What affects the objects and is none of them, each once, all in one; null when there is nothing.
std::shared_ptr<const Geometry> read_colliders(const std::vector<SIM_Object*>& objects,
                                               std::vector<std::string>& warnings) {
  std::set<int> seen;
  for (const SIM_Object* object : objects) seen.insert(object->getObjectId());
  std::shared_ptr<Geometry> all;
  for (SIM_Object* object : objects) {
    SIM_ObjectArray affectors;
    object->getAffectors(affectors, "SIM_RelationshipCollide");
    for (exint i = 0; i < affectors.entries(); ++i) {
      const SIM_Object* affector = affectors(i);
      if (!seen.insert(affector->getObjectId()).second) continue;
      const std::shared_ptr<Geometry> read = read_geometry(affector->getGeometry(), warnings);
      if (read && all) append(*all, *read);
      if (!all) all = read;
    }
  }
  return all;
}

Vec3 vector_at(const Attribute* a, int point) {
  Vec3 v = Vec3::Zero();
  for (int k = 0; a && k < 3; ++k) v[k] = a->number(std::size_t(3 * point + k));
  return v;
}

UT_Vector3 single(const Vec3& v) {
  return UT_Vector3(float(v[0]), float(v[1]), float(v[2]));
}

/// Points as forces want them: all at once, since fields and turbulence look at many points faster than at
/// one by one.
class PointSet {
 public:
  PointSet(const Geometry& geometry, const Attribute* velocity, const std::vector<double>& masses) {
    for (int p = 0; p < geometry.point_count; ++p) {
      positions_.append(single(geometry.position(p)));
      velocities_.append(single(vector_at(velocity, p)));
      still_.append(UT_Vector3(0, 0, 0));
      masses_.append(float(masses[std::size_t(p)]));
    }
  }

  void add(const SIM_Force& force, const SIM_Object& object, std::vector<double>& sum) const {
    UT_Vector3Array newtons(still_), torques(still_);
    const exint count = positions_.entries();
    if (!force.getForceSet(object, positions_, velocities_, still_, masses_, newtons, torques) ||
        newtons.entries() != count) {
      newtons = still_;
      for (exint i = 0; i < count; ++i) {
        UT_Vector3 torque(0, 0, 0);
        force.getForce(object, positions_(i), velocities_(i), still_(i), double(masses_(i)), newtons(i),
                       torque);
      }
    }
    for (exint i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k) sum[std::size_t(3 * i + k)] += double(newtons(i)(k));
  }

 private:
  UT_Vector3Array positions_, velocities_, still_;
  UT_FloatArray masses_;
};

/// What acts on the points: the network's forces, gravity among them; the `force` that POP nodes leave on
/// them; and their wind, `airresist` (kg/s) towards `targetv`, as the mean over the step so that light points
/// do not overshoot.
void add_forces(const SIM_Object& object, const NodeSettings& settings, double seconds, Geometry& geometry) {
  SIM_ConstDataArray forces;
  object.filterConstSubData(forces, nullptr, SIM_DataFilterByType("SIM_Force"), SIM_FORCES_DATANAME,
                            SIM_DataFilterNone());
  const Attribute *resist = geometry.find(Owner::Point, "airresist"),
                  *wind = geometry.find(Owner::Point, "targetv"),
                  *given = geometry.find(Owner::Point, "force"), *velocity = geometry.find(Owner::Point, "v");
  if (forces.entries() == 0 && !resist) return;
  NodeFrame frame;
  frame.settings = settings;
  frame.bodies = std::make_shared<Geometry>(geometry);
  const std::vector<double> masses = StepNode::point_masses(frame);
  std::vector<double> sum(3 * masses.size());
  for (int p = 0; p < geometry.point_count; ++p) {
    const double mass = masses[std::size_t(p)];
    Vec3 total = vector_at(given, p);
    if (resist && mass > 0.0) {
      const double share = -std::expm1(-resist->number(std::size_t(p)) * seconds / mass);
      total += mass * share / seconds * (vector_at(wind, p) - vector_at(velocity, p));
    }
    for (int k = 0; k < 3; ++k) sum[std::size_t(3 * p + k)] = total[k];
  }
  const PointSet points(geometry, velocity, masses);
  for (exint i = 0; i < forces.entries(); ++i)
    if (const auto* force = SIM_DATA_CASTCONST(forces(i), SIM_Force)) points.add(*force, object, sum);
  geometry.add<double>(Owner::Point, "force", 3, "vector") = sum;
}

/// The points alone with what is said about them: an object without constraints among others that have some.
Geometry points_of(const Geometry& geometry) {
  Geometry points;
  points.point_count = geometry.point_count;
  for (const Attribute& a : geometry.attributes[std::size_t(Owner::Point)]) points.put(Owner::Point, a);
  return points;
}

/// Before geometries become one: what one of them says about its points the others say as well, each what it
/// means when it is left out.
void agree(const std::vector<std::shared_ptr<Geometry>>& parts) {
  const auto missing = [&](const char* name, const Geometry& in) {
    const bool somewhere = std::any_of(parts.begin(), parts.end(), [&](const std::shared_ptr<Geometry>& p) {
      return p->find(Owner::Point, name);
    });
    return somewhere && !in.find(Owner::Point, name);
  };
  for (const std::shared_ptr<Geometry>& part : parts) {
    for (const char* name :
         {"stiffness", "dampingratio", "massdensity", "friction", "dynamicfriction", "collisionstiffness"})
      if (missing(name, *part))
        for (double& factor : part->add<double>(Owner::Point, name)) factor = 1.0;
    if (missing("rest", *part)) {
      const Vector x = part->positions();
      part->add<double>(Owner::Point, "rest", 3, "point").assign(x.data(), x.data() + x.size());
    }
    for (const char* name : {"mass", "pscale", "targetP"})
      if (missing(name, *part))
        throw Error(std::string("some of the objects that meet have a point attribute '") + name +
                    "' and some not; give it to all of them");
  }
}

void drop_ids(Geometry& geometry) {
  auto& list = geometry.attributes[std::size_t(Owner::Point)];
  list.erase(std::remove_if(list.begin(), list.end(), [](const Attribute& a) { return a.name == "id"; }),
             list.end());
}

}  // namespace

std::vector<std::vector<SIM_Object*>> meeting_objects(const SIM_ObjectArray& objects) {
  std::vector<SIM_Object*> all;
  for (exint i = 0; i < objects.entries(); ++i) all.push_back(objects(i));
  std::sort(all.begin(), all.end(),
            [](const SIM_Object* a, const SIM_Object* b) { return a->getObjectId() < b->getObjectId(); });
  std::vector<std::set<int>> affectors;
  for (SIM_Object* object : all) affectors.push_back(affectors_of(*object));
  UnionFind sets(int(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (affectors[i].count(all[j]->getObjectId()) && affectors[j].count(all[i]->getObjectId()))
        sets.join(int(i), int(j));
  std::map<int, std::vector<SIM_Object*>> groups;
  for (std::size_t i = 0; i < all.size(); ++i) groups[sets.find(int(i))].push_back(all[i]);
  std::vector<std::vector<SIM_Object*>> result;
  for (auto& [root, group] : groups) result.push_back(std::move(group));
  return result;
}

NodeFrame read_objects(const std::vector<SIM_Object*>& objects, const NodeSettings& settings, double seconds,
                       std::vector<DetailStart>& starts, std::vector<std::string>& warnings) {
  NodeFrame frame;
  frame.fps = 1.0 / seconds;
  frame.settings = settings;
  std::vector<std::shared_ptr<Geometry>> bodies, constraints;
  bool constrained = false;
  for (SIM_Object* object : objects) {
    const std::string who = "object " + std::to_string(object->getObjectId());
    bodies.push_back(read_geometry(object->getGeometry(), warnings));
    if (!bodies.back()) throw Error(who + " has no geometry to simulate");
    const char* name = settings.constraint_data.c_str();
    constraints.push_back(read_geometry(SIM_DATA_GETCONST(*object, name, SIM_Geometry), warnings));
    constrained = constrained || constraints.back();
    add_forces(*object, settings, seconds, *bodies.back());
    if (objects.size() == 1) continue;
    // Ids may come again in other objects: here points match by their number within each.
    if (constraints.back() && constraints.back()->point_count != bodies.back()->point_count)
      throw Error(who + ": its constraint geometry has " + std::to_string(constraints.back()->point_count) +
                  " points for " + std::to_string(bodies.back()->point_count) +
                  "; objects that meet others need as many");
    drop_ids(*bodies.back());
    if (constraints.back()) drop_ids(*constraints.back());
  }
  agree(bodies);
  auto all = std::make_shared<Geometry>(*bodies[0]);
  starts.assign(1, {});
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    starts.push_back({std::size_t(all->point_count), std::size_t(all->primitive_count())});
    append(*all, *bodies[i]);
  }
  if (constrained) {
    std::shared_ptr<Geometry> targets;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Geometry own = constraints[i] ? *constraints[i] : points_of(*bodies[i]);
      if (targets)
        append(*targets, own);
      else
        targets = std::make_shared<Geometry>(own);
    }
    frame.targets = targets;
  }
  frame.bodies = all;
  frame.colliders = read_colliders(objects, warnings);
  return frame;
}

}  // namespace verve
