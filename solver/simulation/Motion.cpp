#include "simulation/Motion.h"

#include <Eigen/Geometry>
#include <cmath>

#include "base/Keys.h"

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
  const Channels c = between_keys<9>(
      time, int(keys_.size()), [&](int k) { return keys_[std::size_t(k)].time; },
      [&](int k) { return channels(keys_[std::size_t(k)].transform); });
  return {c.head<3>(), c.segment<3>(3), c.tail<3>()};
}

}  // namespace verve
