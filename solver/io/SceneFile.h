// Scene files: JSON in, a Scene out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulation/Export.h"

namespace verve {

struct OutputSettings {
  std::string name;
  std::string format = "bgeo.sc";
  ExportSurface surface = ExportSurface::cage;
  int every = 1;
  int checkpoint_every = 10;  ///< frames; 0: only at the end
};

struct SceneFile {
  Scene scene;
  OutputSettings output;
  std::string json;               ///< the scene as run, every default filled in
  std::uint64_t fingerprint = 0;  ///< of everything that shapes the result, files that it names included
  std::vector<std::string> warnings;
};

/// Reads and checks a scene file after applying "key.path=value" settings. Throws an Error for the first
/// thing that is wrong with it.
SceneFile read_scene(const std::string& path, const std::vector<std::string>& settings = {});

/// What the files of a cache are called when the scene at `path` does not say: after the scene file, and such
/// that they stay in their folder.
std::string cache_name_of(const std::string& path);

}  // namespace verve
