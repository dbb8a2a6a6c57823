// How hard the elements of a scene are strained, for artists to see.
#pragma once

#include "simulation/Scene.h"

namespace verve {

struct ElementReport {
  /// By point. Of tets: von Mises' stress (Pa) and stored energy (J/m^3), averaged by volume over the tets
  /// around the point. Of springs: the largest tension or thrust (N) and the energy by length (J/m).
  std::vector<float> stress, energy_density;
  std::vector<int> inverted;  ///< tets that are inside out, numbered over all bodies
};

ElementReport report_elements(const Scene& scene, const Vector& x);

}  // namespace verve
