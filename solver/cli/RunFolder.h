// The folder that a run writes into, and what another run may have left there.
#pragma once

#include <filesystem>
#include <string>

namespace verve {

/// What a run is about to write.
struct RunFiles {
  std::string scene;  ///< scene.json, as text
  std::string name;   ///< of the frames' files, before the first dot
  std::string format;
};

/// True if `folder` holds frames of another run: its scene.json tells of another scene (the frames to run
/// aside), or there are frames of that name without one.
bool holds_another_run(const std::filesystem::path& folder, const RunFiles& files);

/// `folder` itself, or the first of folder-2, folder-3, ... that holds no other run.
std::filesystem::path free_folder(const std::filesystem::path& folder, const RunFiles& files);

}  // namespace verve
