#pragma once

#include "../SIM/SIM_Data.h"
#include "../UT/UT_Vector3.h"
#include "../UT/UT_VectorTypes.h"

class SIM_Object;

class SIM_Force : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
  bool isOfType(const std::string& type) const override {
    return type == "SIM_Force" || SIM_Data::isOfType(type);
  }
  void getForce(const SIM_Object& object, const UT_Vector3& position, const UT_Vector3& velocity,
                const UT_Vector3& angular, const fpreal mass, UT_Vector3& force, UT_Vector3& torque) const {
    getForceSubclass(object, position, velocity, angular, mass, force, torque);
  }
  /// By default one point after the other.
  bool getForceSet(const SIM_Object& object, const UT_Vector3Array& positions,
                   const UT_Vector3Array& velocities, const UT_Vector3Array& angular,
                   const UT_FloatArray& masses, UT_Vector3Array& forces, UT_Vector3Array& torques) const {
    return getForceSetSubclass(object, positions, velocities, angular, masses, forces, torques);
  }

 protected:
  virtual bool getForceSetSubclass(const SIM_Object& object, const UT_Vector3Array& positions,
                                   const UT_Vector3Array& velocities, const UT_Vector3Array& angular,
                                   const UT_FloatArray& masses, UT_Vector3Array& forces,
                                   UT_Vector3Array& torques) const {
    for (exint i = 0; i < positions.entries(); ++i)
      getForce(object, positions(i), velocities(i), angular(i), double(masses(i)), forces(i), torques(i));
    return true;
  }
  virtual void getForceSubclass(const SIM_Object&, const UT_Vector3&, const UT_Vector3&, const UT_Vector3&,
                                const fpreal, UT_Vector3&, UT_Vector3&) const = 0;
};
