// From a scene file to a simulation at its first frame.
#pragma once

#include <string>

#include "base/Error.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {

/// Errors of settings that do not go together name the scene file, as those of its keys do. The scene is not
/// copied: `file` must outlive the simulation.
inline Simulation start(const SceneFile& file, const std::string& path, Simulation::Begin begin) {
  try {
    return Simulation(std::shared_ptr<const Scene>(std::shared_ptr<void>(), &file.scene), begin);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

}  // namespace verve
