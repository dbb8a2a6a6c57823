#include "contact/Collider.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/Error.h"

namespace verve {
namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();

/// Where along the way the mean of the spring's force sits: the force grows with depth, so over a stretch in contact
/// from one end of the step it is centred at two thirds of the way in.
double force_centre(double a, double b) {
  if (a <= 0.0 && b <= 0.0) return a + b < 0.0 ? (a / 3.0 + b * 2.0 / 3.0) / (a + b) : 0.5;
  if (a > 0.0 && b < 0.0) return 1.0 - (1.0 / 3.0) * b / (b - a);
  if (a < 0.0 && b > 0.0) return (1.0 / 3.0) * a / (a - b);
  return a < b ? 0.0 : 1.0;
}

}  // namespace

Collider::Collider(ColliderSpec spec) : spec_(std::move(spec)) {
  const auto require = [&](bool fine, const char* what, double value) {
    if (!fine)
      throw Error("collider '" + spec_.name + "': " + what + " is " + std::to_string(value) +
                  "; give a number that is not negative");
  };
  require(spec_.stiffness >= 0.0 && std::isfinite(spec_.stiffness), "stiffness", spec_.stiffness);
  require(spec_.thickness >= 0.0 && std::isfinite(spec_.thickness), "thickness", spec_.thickness);
  require(spec_.static_friction >= 0.0, "static friction", spec_.static_friction);
  require(spec_.dynamic_friction >= 0.0, "dynamic friction", spec_.dynamic_friction);
  if (spec_.static_friction < spec_.dynamic_friction)
    throw Error("collider '" + spec_.name + "': its static friction " + std::to_string(spec_.static_friction) +
                " is less than its dynamic friction " + std::to_string(spec_.dynamic_friction) +
                "; raise the first or lower the second");
  if (!spec_.shape) throw Error("collider '" + spec_.name + "' has no shape");
  start_ = end_ = {spec_.shape.get(), Eigen::Isometry3d::Identity()};
}

void Collider::begin_step(double start, double end) {
  if (!spec_.pose) return;
  start_.pose = spec_.pose(start);
  end_.pose = spec_.pose(end);
  for (double time : {start, end})
    if (!(time == start ? start_ : end_).pose.matrix().allFinite())
      throw SimulationError("collider '" + spec_.name + "': its motion at " + std::to_string(time) +
                            " s is not a finite number; look at its keys there");
  moves_ = !start_.pose.isApprox(end_.pose, 0.0);
}

Distance Collider::gap(const Placed& placed, const Vec3& p, double limit) const {
  Distance d = placed.shape->distance(placed.pose.inverse() * p, limit + spec_.thickness);
  d.value -= spec_.thickness;
  d.normal = placed.pose.linear() * d.normal;
  return d;
}

Distance Collider::start_surface(const Vec3& p) const { return gap(start_, p, anywhere); }

Touch Collider::touch(const Vec3& from, const Vec3& to, double where) const {
  Touch t;
  // Seen from the collider it stands still, whatever its rigid motion.
  const Vec3 from_local = start_.pose.inverse() * from, to_local = end_.pose.inverse() * to;
  t.start = start_.shape->distance(from_local, anywhere).value - spec_.thickness;
  t.end = end_.shape->distance(to_local, anywhere).value - spec_.thickness;
  const double centre = where < 0.0 ? force_centre(t.start, t.end) : where;
  const Vec3 local = from_local + centre * (to_local - from_local);
  const Distance there = end_.shape->distance(local, anywhere);
  const Vec3 normal = there.normal;
  t.middle = there.value - spec_.thickness;
  t.normal = end_.pose.linear() * normal;
  if (moves_) {
    t.normal = ((1.0 - centre) * (start_.pose.linear() * normal) + centre * t.normal).normalized();
    t.slide = end_.pose * local - start_.pose * local;
    // Of the ways to part the change of the gap between point and collider, the one that treats both alike.
    t.moved = 0.5 * (gap(end_, from, anywhere).value - t.start + t.end - gap(start_, to, anywhere).value);
  }
  return t;
}

double Collider::motion(const Vec3& p) const {
  if (!moves_) return 0.0;
  const Vec3 local = start_.pose.inverse() * p;
  const double turn = (end_.pose.linear() - start_.pose.linear()).norm();
  const double travel = (end_.pose * local - p).norm();
  // A point's own travel bounds that of the surface near it up to the turning over the distance in between.
  return travel + turn * std::abs(start_.shape->distance(local, anywhere).value);
}

}  // namespace verve
