#include "viewer/RunScene.h"

#include <cstdio>
#include <filesystem>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "scene/SceneContact.h"

namespace verve {

RunScene::RunScene(const std::string& run) {
  namespace fs = std::filesystem;
  const fs::path place(run);
  folder = (fs::is_directory(place) ? place : place.parent_path()).string();
  const std::string path = (fs::path(folder) / "scene.json").string();
  if (!fs::is_regular_file(path)) return;
  json = parse_json(read_bytes(path), path);
  check_scene(json, path);
  Scene scene;
  Fingerprint unused;
  try {
    read_colliders(json, folder, scene, unused);
  } catch (const Error& error) {
    // A run that was moved may have left the files of its colliders behind.
    std::fprintf(stderr, "verve: warning: %s: shown without its colliders: %s\n", path.c_str(), error.what());
    scene.colliders.clear();
  }
  colliders = std::move(scene.colliders);
  first_frame = json["frames"][0];
}

}  // namespace verve
