// Scene files: JSON in, a Scene out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene/SceneSources.h"
#include "simulation/Export.h"

namespace verve {

struct OutputSettings {
  std::string name;
  std::string format = "bgeo.sc";
  ExportSurface surface = ExportSurface::cage;
  bool tets = false;        ///< beside the skin's cache, one of the tets in the folder tets
  bool points = false;      ///< a growing .pc2 for each body
  bool quantities = false;  ///< stress, energydensity and contact as attributes
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

/// The same for the JSON that a program holds; messages call it `name`, and so are the cache's files unless
/// the scene says how.
SceneFile make_scene(const std::string& json, const std::string& name, const SceneSources& sources,
                     const std::vector<std::string>& settings = {});

/// What the files of a cache are called when the scene at `path` does not say: after the scene file, and such
/// that they stay in their folder.
std::string cache_name_of(const std::string& path);

}  // namespace verve
