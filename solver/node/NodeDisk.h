// What Save to Disk leaves: a file a frame, what each was made with, and a checkpoint.
#pragma once

#include <map>
#include <string>

#include "geometry/Geometry.h"
#include "node/NodeSettings.h"

namespace verve {

/// FOLDER/vVERSION/NAME_vVERSION.0001.bgeo and so on, and beside them NAME_vVERSION.inputs, which lists
/// the frames that are whole with the fingerprint of the inputs that each was made with, and
/// NAME_vVERSION.checkpoint.
class NodeDisk {
 public:
  /// Throws an Error that names the parameter where there is no folder or name.
  explicit NodeDisk(const NodeSettings& settings);

  std::string frame_file(int frame) const;
  std::string checkpoint_file() const { return stem() + ".checkpoint"; }

  /// Whole or not at all.
  void write_frame(int frame, const Geometry& geometry) const;
  Geometry read_frame(int frame) const;
  /// Removes the files of this frame and of later ones, listed or not.
  void forget_from(int frame) const;

  /// Frame by frame; nothing where nothing was written. Throws an Error when the list is damaged.
  std::map<int, std::uint64_t> frames() const;
  /// Whole or not at all.
  void write_frames(const std::map<int, std::uint64_t>& frames) const;

 private:
  std::string stem() const { return folder_ + "/" + name_; }
  std::string folder_, name_;
};

}  // namespace verve
