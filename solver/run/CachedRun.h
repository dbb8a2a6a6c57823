// A run into a folder: the cache, scene.json, report.csv and checkpoints, whoever asks for it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {

/// The text of scene.json: the scene as run, whose last frame is the one that was asked for.
std::string as_run(const SceneFile& file, int last);

struct CachedRunSettings {
  std::string folder;
  int first = 1, last = 240;  ///< the frames to cache; the run begins at the scene's first
  bool resume = false;        ///< go on from the folder's checkpoint, if it has one
};

/// Interrupted and resumed, it leaves the very same bytes as an unbroken run.
class CachedRun {
 public:
  /// Makes the folder. Throws an Error if nothing can be written there, or if its checkpoint belongs to
  /// another scene. Scene and simulation must outlive it; the simulation is set to the checkpoint's frame.
  CachedRun(const SceneFile& file, Simulation& simulation, CachedRunSettings settings);
  ~CachedRun();

  bool resumed() const { return resumed_; }
  bool done() const { return simulation_.frame() >= settings_.last; }
  /// Writes the first frame, unless the run was resumed.
  void begin();
  /// Steps to the next frame and writes it; saves a checkpoint where one is due. Errors as of
  /// Simulation::advance.
  FrameReport advance();
  /// Waits for the disk and saves a checkpoint: from there the run can be resumed.
  void save();
  /// Closes the cache after the last frame.
  void finish();
  /// The files of the cache that have come to the disk since the last call.
  std::vector<std::string> take_new_files();

 private:
  struct Files;
  void keep(const FrameReport& report);
  std::string checkpoint_path() const;

  const SceneFile& file_;
  Simulation& simulation_;
  CachedRunSettings settings_;
  bool resumed_ = false;
  std::vector<std::string> written_, told_;
  std::unique_ptr<Files> files_;
};

}  // namespace verve
