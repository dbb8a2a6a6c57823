// Caches of many frames, read and written by name: one file for all frames, or one file a frame.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geometry/FrameSource.h"

namespace verve {

/// True for the endings whose files hold all frames (usda, pc2, mdd); false for those with a file a frame. An
/// Error that lists the known endings for any other.
bool is_sequence_file(const std::string& ending);

/// Opens FOLDER/NAME.$F4.ENDING (every frame that is there), a file that holds all frames, a .pvd list, or
/// any one geometry file as a single frame. What is left out is appended to `warnings` if that is not null.
/// `fps` is for files that do not say; 0 for a guess.
std::unique_ptr<FrameSource> open_sequence(const std::string& path, std::vector<std::string>* warnings,
                                           double fps = 0);

/// Writes all frames to FOLDER/NAME.$F4.ENDING, or to one file. Files that hold all frames need the same
/// points and primitives in each; an Error names the first frame that differs.
void write_sequence(const std::string& path, const FrameSource& frames);

/// FOLDER/NAME.0001.ENDING, as Houdini's $F4.
std::string frame_path(const std::string& folder, const std::string& name, int frame,
                       const std::string& ending);
/// The number in NAME.<number>.ENDING; nothing if the file's name is another one.
std::optional<int> frame_number(const std::string& file, const std::string& name, const std::string& ending);

/// One geometry as a sequence.
class OneFrame : public FrameSource {
 public:
  explicit OneFrame(const Geometry& geometry) : geometry_(geometry) {}
  std::size_t count() const override { return 1; }
  int frame(std::size_t) const override { return 1; }
  Geometry read(std::size_t) const override { return geometry_; }
  double fps() const override { return 24; }

 private:
  const Geometry& geometry_;
};

}  // namespace verve
