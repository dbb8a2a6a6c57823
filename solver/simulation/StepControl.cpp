#include "simulation/StepControl.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/Parallel.h"
#include "base/PhaseTimes.h"
#include "contact/Contacts.h"

namespace verve {
namespace {

/// A force and a torque about a piece's centre.
struct Wrench {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();

  void add(const Vec3& f, const Vec3& arm) {
    force += f;
    torque += arm.cross(f);
  }
  /// |M^-1/2 w| of the rigid body: the square root of twice the energy that it would bring as an impulse.
  double size(const RigidMotion& body) const {
    return std::sqrt(std::max(0.0, force.squaredNorm() / body.mass + torque.dot(body.spin(torque))));
  }
};

/// The size of a piece: the root of the trace of its inertia over its mass (m).
double size_of(const RigidMotion& body) {
  return std::sqrt(body.inertia.trace() / body.mass);
}

/// The square of the speed that a piece's errors are measured by, times its mass. What moves slower than
/// gravity speeds it up in a frame, or by less than a hundredth of its size in a frame, is at rest for the
/// eye.
double speed_scale(const System& system, const RigidMotion& body, double kinetic, double frame) {
  const double fall = system.gravity.norm() * frame;
  const double creep = 0.01 * size_of(body) / frame;
  return std::max({2.0 * kinetic, body.mass * fall * fall, body.mass * creep * creep,
                   std::numeric_limits<double>::min()});
}

/// What a step misses of a piece's speed where contact's force on it changes so, as a share of it. A share of
/// the speed stands for one of a bounce's height; where that is less than half of the piece's own size, it is
/// a share of half the size that counts. It counts for half at least: an impact that a step swallows misses a
/// sixth of the speed and must not pass, and parts of a cloth are smaller than the whole.
double missed_share(const System& system, const Wrench& change, const RigidMotion& body, double scale,
                    double h) {
  constexpr double most = 2.0;
  const double lenience = std::clamp(system.gravity.norm() * size_of(body) * body.mass / scale, 1.0, most);
  return h / 12.0 * change.size(body) / (std::sqrt(scale) * lenience);
}

}  // namespace

StepControl::StepControl(const System& system, double tolerance, int most_steps)
    : system_(system), tolerance_(tolerance) {
  while ((2 << deepest_) <= most_steps) ++deepest_;
  std::vector<std::array<int, 2>> pairs;
  for (const auto& energy : system.elastic) energy->append_pairs(pairs);
  for (auto& pair : pairs)
    if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  neighbour_start_.assign(std::size_t(system.points()) + 1, 0);
  for (const auto& [a, b] : pairs)
    if (a != b) ++neighbour_start_[a + 1], ++neighbour_start_[b + 1];
  for (int i = 0; i < system.points(); ++i) neighbour_start_[i + 1] += neighbour_start_[i];
  neighbour_.resize(std::size_t(neighbour_start_.back()));
  std::vector<int> at(neighbour_start_.begin(), neighbour_start_.end() - 1);
  for (const auto& [a, b] : pairs)
    if (a != b) neighbour_[at[a]++] = b, neighbour_[at[b]++] = a;
}

int StepControl::change(double error) {
  // The error of a step falls with the square of its length; a margin keeps the level from going back and
  // forth.
  if (error > acceptable) return std::min(3, 1 + int(std::log(error / acceptable) / std::log(4.0)));
  if (64.0 * error <= 1.0) return -2;
  return 4.8 * error <= 1.0 ? -1 : 0;
}

double StepControl::error(const State& before, State& after, double h, double frame) const {
  const std::vector<RigidMotion> start = rigid_motions(system_, before.x, before.v, after.held);
  const std::vector<RigidMotion> end = rigid_motions(system_, after.x, after.v, after.held);
  std::vector<double> scale;
  for (int p = 0; p < system_.pieces; ++p)
    scale.push_back(speed_scale(system_, end[p], std::max(start[p].kinetic, end[p].kinetic), frame));

  double worst = turning(before, after, end, scale, h);
  if (!system_.contacts) return worst / tolerance_;
  std::vector<Wrench> push(std::size_t(system_.pieces));
  const Vector& impulse = system_.contacts->impulse();
  for (int i = 0; i < system_.points(); ++i) {
    const int p = system_.piece[i];
    push[p].add(point(impulse, i) / h, Vec3(point(after.x, i)) - end[p].centre);
  }
  std::vector<Vec3>& remembered = after.steps.push;
  remembered.resize(2 * std::size_t(system_.pieces), Vec3::Zero());
  for (int p = 0; p < system_.pieces; ++p) {
    const Wrench change{push[p].force - remembered[2 * p], push[p].torque - remembered[2 * p + 1]};
    worst = std::max(worst, missed_share(system_, change, end[p], scale[p], h));
    remembered[2 * p] = push[p].force;
    remembered[2 * p + 1] = push[p].torque;
  }
  return worst / tolerance_;
}

double StepControl::turning(const State& before, const State& after, const std::vector<RigidMotion>& motions,
                            const std::vector<double>& scale, double h) const {
  Vector missed_at = Vector::Zero(system_.points());
  const auto look_at = [&](int i) {
    // The spin that fits the way of the neighbours about this point best.
    Mat3 inertia = Mat3::Zero();
    Vec3 momentum = Vec3::Zero();
    const Vec3 x0 = point(before.x, i), x1 = point(after.x, i);
    for (int k = neighbour_start_[i]; k < neighbour_start_[i + 1]; ++k) {
      const Vec3 r0 = point(before.x, neighbour_[k]) - x0, r1 = point(after.x, neighbour_[k]) - x1;
      const Vec3 middle = 0.5 * (r0 + r1);
      inertia += middle.squaredNorm() * Mat3::Identity() - middle * middle.transpose();
      momentum += middle.cross(r1 - r0);
    }
    const double size = inertia.trace();
    if (!(size > 0.0)) return;
    // What lies on a line has no spin about it.
    inertia += 1e-3 * size * Mat3::Identity();
    const Vec3 turn = inertia.ldlt().solve(momentum);
    // The chord of an angle a is 2 tan(a/2) times its middle's length.
    const double angle = 2.0 * std::atan(0.5 * turn.norm());
    const RigidMotion& body = motions[system_.piece[i]];
    const Vec3 relative = (x1 - x0) / h - body.linear / body.mass;
    const double missed = angle * angle / 8.0;
    missed_at[i] = system_.mass[3 * Eigen::Index(i)] * relative.squaredNorm() * missed * missed;
  };
  parallel_pieces(system_.points(), 512, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) look_at(i);
  });
  std::vector<double> square(std::size_t(system_.pieces), 0.0);
  for (int i = 0; i < system_.points(); ++i) square[system_.piece[i]] += missed_at[i];
  double worst = 0.0;
  for (int p = 0; p < system_.pieces; ++p) worst = std::max(worst, std::sqrt(square[p] / scale[p]));
  return worst;
}

int StepControl::foresee(const State& state, int level, double frame) const {
  const InPhase phase(Phase::search);
  if (!system_.contacts || !state.contact.open || level >= deepest_) return level;
  const double longest = frame / double(1 << level);
  const std::vector<Contact>& near =
      system_.contacts->look_ahead(state.x, state.v, state.time, longest, state.contact);
  // What touches already has told by its error which steps it needs.
  std::vector<char> touching(std::size_t(system_.pieces), 0);
  bool any = false;
  for (const Contact& c : near) {
    if (c.share > 0.0 && c.start < 0.0)
      for (int i = 0; i < c.points; ++i) touching[system_.piece[c.point[i]]] = 1;
    any = any || c.start > 0.0;
  }
  if (!any) return level;
  const std::vector<RigidMotion> start = rigid_motions(system_, state.x, state.v, state.held);
  // It is only a guess, from the force at the end of a free flight: let a step that seems twice too long be
  // tried.
  constexpr double loose = 4.0;
  for (; level < deepest_; ++level) {
    const double h = frame / double(1 << level);
    std::vector<Wrench> push(std::size_t(system_.pieces));
    for (const Contact& c : near) {
      if (c.share == 0.0 || !(c.start > 0.0)) continue;
      const double end = c.start + h / longest * c.moved + h * c.start_normal.dot(c.gather(state.v));
      if (end >= 0.0) continue;
      const double force = -c.potential(end).slope;
      for (int i = 0; i < c.points; ++i) {
        const int p = system_.piece[c.point[i]];
        if (!touching[p])
          push[p].add(c.weight[i] * force * c.start_normal,
                      Vec3(point(state.x, c.point[i])) - start[p].centre);
      }
    }
    double worst = 0.0;
    for (int p = 0; p < system_.pieces; ++p) {
      const double scale = speed_scale(system_, start[p], start[p].kinetic, frame);
      worst = std::max(worst, missed_share(system_, push[p], start[p], scale, h));
    }
    if (worst <= loose * tolerance_) break;
  }
  return level;
}

}  // namespace verve
