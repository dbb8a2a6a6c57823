// The structure of a .usda file, as far as a mesh with its time samples needs it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace verve {

/// A property of a prim. Values stay text until a frame needs them.
struct UsdaProperty {
  std::string type, interpolation;
  std::string_view value;
  std::vector<std::pair<double, std::string_view>> samples;

  /// The value at a time: the last sample that is not later, or the first one; empty if there is none.
  std::string_view at(double time) const {
    if (samples.empty()) return value;
    std::string_view held = samples.front().second;
    for (const auto& [t, text] : samples)
      if (t <= time) held = text;
    return held;
  }
};

/// The properties in the order of the file, so that what is written again keeps it.
struct UsdaPrim {
  std::vector<std::pair<std::string, UsdaProperty>> properties;

  const UsdaProperty* find(std::string_view name) const {
    for (const auto& [key, property] : properties)
      if (key == name) return &property;
    return nullptr;
  }
  UsdaProperty& get(const std::string& name) {
    if (const UsdaProperty* there = find(name)) return const_cast<UsdaProperty&>(*there);
    return properties.emplace_back(name, UsdaProperty{}).second;
  }
};

/// What a file holds; the values are views of its text.
struct UsdaFile {
  double fps = 24;
  /// The first mesh, if there is one.
  bool found = false;
  UsdaPrim mesh;
  int other_meshes = 0;
  /// True if some prim has a transform.
  bool transformed = false;
};

/// An Error names the line that cannot be read.
UsdaFile parse_usda(std::string_view text);

}  // namespace verve
