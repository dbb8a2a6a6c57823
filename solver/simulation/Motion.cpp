#include "simulation/Motion.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace verve {
namespace {

using Channels = Eigen::Matrix<double, 9, 1>;

Channels channels(const Transform& t) {
  Channels c;
  c << t.translate, t.rotate, t.scale;
  return c;
}

}  // namespace

Mat3 Transform::linear() const {
  const Vec3 r = rotate * (M_PI / 180.0);
  const Eigen::Quaterniond q = Eigen::AngleAxisd(r[2], Vec3::UnitZ()) *
                               Eigen::AngleAxisd(r[1], Vec3::UnitY()) *
                               Eigen::AngleAxisd(r[0], Vec3::UnitX());
  return q.toRotationMatrix() * scale.asDiagonal();
}

Transform Motion::at(double time) const {
  if (keys_.empty()) return {};
  if (time <= keys_.front().time) return keys_.front().transform;
  if (time >= keys_.back().time) return keys_.back().transform;
  const std::size_t b =
      std::upper_bound(keys_.begin(), keys_.end(), time, [](double t, const Key& k) { return t < k.time; }) -
      keys_.begin();
  const std::size_t a = b - 1;
  // Slopes from the neighbours on both sides; level at the ends, as the motion is held there, and in each
  // channel that two keys hold: between equal keys nothing moves.
  const auto slope = [&](std::size_t k) -> Channels {
    if (k == 0 || k + 1 == keys_.size()) return Channels::Zero();
    const Channels before = channels(keys_[k - 1].transform), at = channels(keys_[k].transform),
                   after = channels(keys_[k + 1].transform);
    const auto holds = (before.array() == at.array()) || (at.array() == after.array());
    return holds.select(0.0, (after - before) / (keys_[k + 1].time - keys_[k - 1].time));
  };
  const double h = keys_[b].time - keys_[a].time, s = (time - keys_[a].time) / h, s2 = s * s, s3 = s2 * s;
  const Channels c = (2 * s3 - 3 * s2 + 1) * channels(keys_[a].transform) + (s3 - 2 * s2 + s) * h * slope(a) +
                     (3 * s2 - 2 * s3) * channels(keys_[b].transform) + (s3 - s2) * h * slope(b);
  return {c.head<3>(), c.segment<3>(3), c.tail<3>()};
}

}  // namespace verve
