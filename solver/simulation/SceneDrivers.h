// Pins, targets and forces as a scene has them.
#pragma once

#include "simulation/Scene.h"

namespace verve {

/// What a scene prescribes over time.
class SceneDrivers final : public Drivers {
 public:
  SceneDrivers(const Scene& scene, const System& system, const Vector& start);
  void pins(double time, std::vector<Pin>& out) const override;
  void targets(double time, std::vector<Target>& out) const override;
  void add_forces(double time, Vector& force) const override;

 private:
  std::vector<PinSet> pins_;
  std::vector<TargetSet> targets_;
  Vector start_, force_;
  bool has_force_ = false;
};

}  // namespace verve
