// An exact collider shape that moves rigidly during a step.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>

#include "asynchronous/Clock.h"
#include "base/Error.h"
#include "contact/Collider.h"

namespace verve {

/// How long a gap stays open that closes by `rate` m/s and, where that is above 0, by `acceleration` m/s^2.
inline double time_to_close(double gap, double rate, double acceleration) {
  if (!(acceleration > 0.0)) return rate > 0.0 ? gap / rate : std::numeric_limits<double>::infinity();
  const double root = std::sqrt(rate * rate + 2.0 * acceleration * std::max(0.0, gap));
  return rate > 0.0 ? 2.0 * gap / (rate + root) : (root - rate) / acceleration;
}

/// Goes from its pose at the step's start to that at its end with even velocity and spin.
class ShapeMotion {
 public:
  ShapeMotion(const ColliderSpec& spec, const Span& span) : shape_(spec.shape.get()), start_(span.start) {
    if (!spec.pose) return;
    const Eigen::Isometry3d first = spec.pose(span.start), last = spec.pose(span.end());
    if (!first.matrix().allFinite() || !last.matrix().allFinite())
      throw SimulationError("collider '" + spec.name + "': its motion at " + std::to_string(span.start) +
                            " s is not a finite number; look at its keys there");
    turn_ = Eigen::Quaterniond(first.linear());
    origin_ = first.translation();
    velocity_ = (last.translation() - origin_) / span.length;
    const Eigen::AngleAxisd turned(Eigen::Quaterniond(last.linear()) * turn_.conjugate());
    if (!first.isApprox(last, 0.0)) spin_ = turned.angle() / span.length * turned.axis();
  }

  /// The distance and its gradient at a time.
  Distance distance(const Vec3& p, double time) const {
    const Eigen::Quaterniond turn = turn_at(time);
    Distance d =
        shape_->distance(turn.conjugate() * (p - origin_at(time)), std::numeric_limits<double>::infinity());
    d.normal = turn * d.normal;
    return d;
  }
  /// Of the solid, at a place.
  Vec3 velocity(const Vec3& p, double time) const { return velocity_ + spin_.cross(p - origin_at(time)); }

  /// A time before which a point at p with such a distance now cannot come nearer than `least`, if its
  /// velocity stays within `stray` of `course`, which changes by `fall` a second, until then or `until`.
  double safe_until(const Vec3& p, const Distance& d, double least, const Vec3& course, const Vec3& fall,
                    double stray, double time, double until) const {
    const Vec3 relative = course - velocity_;
    const double gap = d.value - least;
    if (shape_->convex() && spin_.isZero(0.0))
      return time + time_to_close(gap, stray - d.normal.dot(relative), -d.normal.dot(fall));
    const double left = until - time, speed = relative.norm() + stray;
    const double far = (p - origin_at(time)).norm() + left * (speed + 0.5 * left * fall.norm());
    return time + time_to_close(gap, speed + spin_.norm() * far, fall.norm());
  }

 private:
  Vec3 origin_at(double time) const { return origin_ + (time - start_) * velocity_; }
  Eigen::Quaterniond turn_at(double time) const {
    const double rate = spin_.norm();
    if (rate == 0.0) return turn_;
    return Eigen::Quaterniond(Eigen::AngleAxisd(rate * (time - start_), spin_ / rate)) * turn_;
  }

  const Shape* shape_;
  double start_;
  Eigen::Quaterniond turn_ = Eigen::Quaterniond::Identity();
  Vec3 origin_ = Vec3::Zero(), velocity_ = Vec3::Zero(), spin_ = Vec3::Zero();
};

}  // namespace verve
