// From a scene file to a simulation at its first frame.
#pragma once

#include <string>

#include "base/Error.h"
#include "io/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {

/// Errors of settings that do not go together name the scene file, as those of its keys do.
inline Simulation start(const SceneFile& file, const std::string& path, Simulation::Begin begin) {
  try {
    return Simulation(file.scene, begin);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

}  // namespace verve
