#include "simulation/SceneDrivers.h"

#include <algorithm>

namespace verve {
namespace {

/// Sorts by point and keeps one entry each: where two sets hold a point, the later one in the scene has it.
template <class T>
void keep_last(std::vector<T>& list) {
  std::stable_sort(list.begin(), list.end(), [](const T& a, const T& b) { return a.point < b.point; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (i + 1 == list.size() || list[i + 1].point != list[i].point) list[kept++] = list[i];
  list.erase(list.begin() + kept, list.end());
}

/// Moves a set's points as its motion says at a time.
template <class Visit>
void move(const PinSet& set, const Vector& start, double time, const Visit& visit) {
  if (time < set.from || time > set.until) return;
  if (set.motion.still()) {
    for (int i : set.points) visit(i, Vec3(point(start, i)));
    return;
  }
  Vec3 centre = Vec3::Zero();
  for (int i : set.points) centre += point(start, i) / double(set.points.size());
  const Transform t = set.motion.at(time);
  const Mat3 linear = t.linear();
  for (int i : set.points) visit(i, Vec3(centre + linear * (point(start, i) - centre) + t.translate));
}

}  // namespace

SceneDrivers::SceneDrivers(const Scene& scene, const System& system, const Vector& start)
    : pins_(scene.pins), targets_(scene.targets), start_(start), force_(Vector::Zero(start.size())) {
  for (const Push& push : scene.pushes) {
    has_force_ = true;
    double mass = 0.0;
    for (int i : push.points) mass += system.mass[3 * Eigen::Index(i)];
    for (int i : push.points) point(force_, i) += system.mass[3 * Eigen::Index(i)] / mass * push.force;
  }
}

void SceneDrivers::pins(double time, std::vector<Pin>& out) const {
  out.clear();
  for (const PinSet& set : pins_)
    move(set, start_, time, [&](int i, const Vec3& p) { out.push_back({i, p}); });
  keep_last(out);
}

void SceneDrivers::targets(double time, std::vector<Target>& out) const {
  out.clear();
  for (const TargetSet& set : targets_)
    move(set, start_, time, [&](int i, const Vec3& p) { out.push_back({i, p, set.stiffness, set.damping}); });
  keep_last(out);
}

void SceneDrivers::add_forces(double, Vector& force) const {
  if (has_force_) force += force_;
}

}  // namespace verve
