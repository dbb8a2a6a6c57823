// Where the geometry that a scene names comes from: files, or what a program hands over.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "geometry/FrameSource.h"

namespace verve {

struct SceneSources {
  SceneSources() = default;
  SceneSources(std::string in) : folder(std::move(in)) {}

  std::string folder;  ///< where relative file names begin
  /// Geometry under the name that the scene has in the place of a file's; one frame, or as many as it moves.
  std::map<std::string, std::shared_ptr<const FrameSource>> given;

  /// What load() has read so far: a run goes on only where all of it is the same.
  std::shared_ptr<Fingerprint> read = std::make_shared<Fingerprint>();

  /// The frames given under this name; null if it is that of a file.
  const FrameSource* find(const std::string& file) const;
  /// The file's path, or the name itself if it was given.
  std::string path(const std::string& file) const;
  /// The (first) geometry of that name, with its attributes.
  Geometry load(const std::string& file, std::vector<std::string>& warnings) const;
  /// All frames of that name.
  std::shared_ptr<const FrameSource> open(const std::string& file) const;
};

/// Geometries of consecutive frames.
class GivenFrames : public FrameSource {
 public:
  GivenFrames(std::vector<Geometry> frames, int first) : frames_(std::move(frames)), first_(first) {}
  std::size_t count() const override { return frames_.size(); }
  int frame(std::size_t i) const override { return first_ + int(i); }
  Geometry read(std::size_t i) const override { return frames_[i]; }
  double fps() const override { return 24; }

 private:
  std::vector<Geometry> frames_;
  int first_;
};

/// A fixed set of points, frame by frame.
struct PointFrames {
  std::vector<int> number;
  std::vector<std::vector<Vec3>> points;
  /// What the points' attributes stiffness, restscale, dampingratio, friction, pintoanimation and rest say in
  /// every frame; empty: nothing.
  std::vector<std::vector<double>> stiffness, rest_scale, damping, friction, pinned;
  std::vector<std::vector<Vec3>> rest;

  /// The numbers among them, and what they are called.
  struct Map {
    const char* name;
    std::vector<std::vector<double>> PointFrames::*frames;
  };
  static const std::vector<Map>& maps();

  /// Straight between two frames, and held before the first and after the last.
  void at(double frame, std::vector<Vec3>& out) const;
};

/// All frames of `source`, called `name` in messages; `points` is how many each must have. Throws an Error
/// that names the frame, or the point whose position is not a number.
PointFrames read_point_frames(const FrameSource& source, const std::string& name, std::size_t points);

}  // namespace verve
