// How pins and colliders move: transforms given at times, smooth in between.
#pragma once

#include <vector>

#include "base/Types.h"

namespace verve {

/// scale, then rotate (degrees about x, then y, then z), then translate.
struct Transform {
  Vec3 translate = Vec3::Zero(), rotate = Vec3::Zero(), scale = Vec3::Ones();

  Mat3 linear() const;
  Vec3 apply(const Vec3& p) const { return linear() * p + translate; }
};

/// Transforms relative to where the thing starts, turning about its own centre. Cubic between keys with a
/// slope that does not jump, and held before the first and after the last.
class Motion {
 public:
  struct Key {
    double time;
    Transform transform;
  };

  Motion() = default;
  /// Keys in ascending order of time.
  explicit Motion(std::vector<Key> keys) : keys_(std::move(keys)) {}

  bool still() const { return keys_.empty(); }
  Transform at(double time) const;
  const std::vector<Key>& keys() const { return keys_; }

 private:
  std::vector<Key> keys_;
};

}  // namespace verve
