// Caches the frames of a run, in the background, so that stepping does not wait for the disk.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "geometry/Geometry.h"

namespace verve {

struct SequenceSettings {
  std::string folder = ".";
  std::string name = "frame";
  /// What write_geometry knows: one file a frame, FOLDER/NAME.0001.ENDING; or usda, pc2 or mdd: all in one
  /// file, FOLDER/NAME.ENDING. With vtu there is also FOLDER/NAME.pvd, which lists the frames with their
  /// times.
  std::string ending = "bgeo.sc";
  double fps = 24;
  int first_frame = 1;
  /// Frames below this one were written by an earlier run with the same settings and are kept; the others are
  /// removed. At first_frame or less, everything begins anew.
  int resume_from = 0;
};

/// Interrupted and resumed, it leaves the very same bytes as an unbroken run. Every file appears whole or not
/// at all. What a killed run left behind under temporary names is cleared away at the start.
class SequenceWriter {
 public:
  /// Makes the folder if there is none. An Error if nothing can be written there.
  explicit SequenceWriter(SequenceSettings settings);
  /// Finishes the frames that were handed over, but reports no errors and closes no single-file cache: such a
  /// run can be resumed. Call finish() for the rest.
  ~SequenceWriter();

  /// Hands a frame over; frames come in increasing order. Returns at once unless several frames still wait
  /// for the disk. Throws the Error of an earlier frame; after one, no further frame is written.
  void write(int frame, Geometry geometry);
  /// The same for a frame that is made in the background as well: `make` owns or outlives what it looks at.
  void write(int frame, std::function<Geometry()> make);
  /// Waits until every frame that was handed over is on the disk. A checkpoint that is written after this
  /// never runs ahead of the cache.
  void flush();
  /// Closes the cache: waits until all is on the disk, and throws the Error if something could not be
  /// written.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The last frame that an earlier run with these settings left whole on the disk; nothing if there is none.
/// After a crash, resume from a checkpoint that is no later.
std::optional<int> last_cached_frame(const SequenceSettings& settings);

}  // namespace verve
