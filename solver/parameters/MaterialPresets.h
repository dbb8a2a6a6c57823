// Soft bodies by what they are like; fabrics stand in energy/Fabrics.h.
#pragma once

#include <string>
#include <vector>

namespace verve {

struct SoftPreset {
  std::string name;
  double young, poisson, density;  ///< Pa, 1, kg/m^3
};

inline const std::vector<SoftPreset>& soft_presets() {
  static const std::vector<SoftPreset> presets = {{"jelly", 8e3, 0.45, 1000.0},
                                                  {"flesh", 3e4, 0.47, 1000.0},
                                                  {"foam", 1e5, 0.2, 100.0},
                                                  {"rubber", 1e6, 0.48, 1100.0}};
  return presets;
}

/// The names of presets, for menus.
template <class Presets>
std::vector<std::string> preset_names(const Presets& presets, std::vector<std::string> before = {}) {
  for (const auto& preset : presets) before.push_back(preset.name);
  return before;
}

}  // namespace verve
