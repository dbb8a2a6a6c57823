// Damping and friction that are painted anew in every frame.
#pragma once

#include "damping/DampingSettings.h"
#include "simulation/Scene.h"

namespace verve {

/// What multiplies damping or friction at every point of all bodies: what is painted on a body at a time, or
/// else its own list; empty where no body has any.
std::vector<double> multipliers_at(const Scene& scene, std::vector<double> Body::*own,
                                   Painted::Map<double> Painted::*painted, double time);

/// Brings a system's damping and friction to what is painted for a step. Neither holds any energy, so nothing
/// is booked.
class PaintedMaps {
 public:
  PaintedMaps(const Scene& scene, System& system);

  /// With multipliers that set() changes where damping is painted.
  IntegratorSettings settings() const;
  /// For a step about this time.
  void set(double time);

 private:
  const Scene& scene_;
  System& system_;
  std::shared_ptr<PointScale> damping_;  ///< none: it is not painted
  bool friction_ = false;
};

}  // namespace verve
