#include "viewer/CacheName.h"

#include <filesystem>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "io/SequenceFile.h"
#include "parameters/SceneCheck.h"

namespace verve {

CacheName find_cache(const std::string& file_or_folder) {
  namespace fs = std::filesystem;
  const fs::path given(file_or_folder);
  const bool is_folder = fs::is_directory(given);
  if (!is_folder && !fs::exists(given) && given.filename().string().find("$F") == std::string::npos)
    throw Error(file_or_folder + ": there is no such file");
  const fs::path folder = is_folder ? given : given.parent_path();
  const std::string scene_path = (folder / "scene.json").string();
  if (!fs::is_regular_file(scene_path)) {
    if (is_folder)
      throw Error(file_or_folder + ": not the folder of a run (there is no scene.json); name a file in it");
    return {file_or_folder, 0};
  }
  Json scene = parse_json(read_bytes(scene_path), scene_path);
  check_scene(scene, scene_path);
  const double fps = scene["fps"];
  if (!is_folder) return {file_or_folder, fps};
  if (!scene["output"].contains("name"))
    throw Error(scene_path + ": not written by a run; it has no output.name");
  const std::string name = scene["output"]["name"], ending = scene["output"]["format"];
  return {(folder / (name + (is_sequence_file(ending) ? "." : ".$F4.") + ending)).string(), fps};
}

}  // namespace verve
