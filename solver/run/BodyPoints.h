// Point caches that can be played while they grow.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulation/Scene.h"

namespace verve {

/// FOLDER/NAME.BODY.pc2 for every body: the points that show it (see shown_points), as 32-bit floats, in
/// metres and in the world. The header of each counts the frames that are whole, so that whoever opens it
/// during the run finds a valid file.
class BodyPoints {
 public:
  /// Frames come from `first` on, `every` apart. Those before `resume_from` are kept from an earlier run; an
  /// Error if they are not there.
  BodyPoints(const Scene& scene, const std::string& folder, const std::string& name, int first, int every,
             int resume_from);
  ~BodyPoints();

  void write(const Vector& x);
  /// Hands everything to the disk.
  void flush();

  /// The file of a body; its name is made such that it stays in the folder.
  static std::string path(const std::string& folder, const std::string& name, const std::string& body);

 private:
  struct File;
  const Scene& scene_;
  std::vector<File> files_;
};

}  // namespace verve
