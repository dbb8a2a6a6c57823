// Materials by what they are like.
#pragma once

#include <string>
#include <vector>

namespace verve {

struct SoftPreset {
  std::string name;
  double young, poisson, density;  ///< Pa, 1, kg/m^3
};
struct ClothPreset {
  std::string name;
  double stretch, bend, density;  ///< as node.stretchstiffness and material.bend; kg/m^2
};

inline const std::vector<SoftPreset>& soft_presets() {
  static const std::vector<SoftPreset> presets = {{"jelly", 8e3, 0.45, 1000.0},
                                                  {"flesh", 3e4, 0.47, 1000.0},
                                                  {"foam", 1e5, 0.2, 100.0},
                                                  {"rubber", 1e6, 0.48, 1100.0}};
  return presets;
}

inline const std::vector<ClothPreset>& cloth_presets() {
  static const std::vector<ClothPreset> presets = {{"silk", 200.0, 0.2, 0.08},
                                                   {"cotton", 400.0, 2.0, 0.15},
                                                   {"denim", 1500.0, 20.0, 0.4},
                                                   {"leather", 3000.0, 80.0, 0.8}};
  return presets;
}

}  // namespace verve
