#include "cli/RunFolder.h"

#include "base/FileBytes.h"
#include "parameters/SceneCheck.h"

namespace verve {

namespace fs = std::filesystem;

namespace {

/// The scene without its frames: another range of the same scene gives the same frames.
Json without_frames(const std::string& text) {
  Json scene = Json::parse(text, nullptr, false);
  if (scene.is_object()) scene.erase("frames");
  return scene;
}

}  // namespace

bool holds_another_run(const fs::path& folder, const RunFiles& files) {
  const fs::path scene = folder / "scene.json";
  if (fs::is_regular_file(scene))
    return fs::exists(folder / "report.csv") &&
           without_frames(read_bytes(scene.string())) != without_frames(files.scene);
  if (!fs::is_directory(folder)) return false;
  const std::string begin = files.name + ".", end = "." + files.format;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.size() >= begin.size() + end.size() - 1 && name.compare(0, begin.size(), begin) == 0 &&
        name.compare(name.size() - end.size(), end.size(), end) == 0)
      return true;
  }
  return false;
}

fs::path free_folder(const fs::path& folder, const RunFiles& files) {
  fs::path found = folder;
  for (int i = 2; holds_another_run(found, files); ++i) found = folder.string() + "-" + std::to_string(i);
  return found;
}

}  // namespace verve
