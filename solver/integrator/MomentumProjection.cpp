#include "integrator/MomentumProjection.h"

#include <Eigen/Geometry>
#include <cmath>

#include "system/RigidMotion.h"

namespace verve {

void MomentumProjection::begin(const System& system, State& state) {
  x_before_ = state.x;
  start_.clear();
  for (const RigidMotion& r : rigid_motions(system, state.x, state.v, {}))
    start_.push_back({r.linear, r.angular});
  state.momentum_owed.resize(start_.size(), Vec3::Zero());
}

void MomentumProjection::end(const System& system, double h, const Vector& force, State& state) {
  for (int i = 0; i < system.points(); ++i) {
    Momenta& target = start_[system.piece[i]];
    const Vec3 middle = 0.5 * (point(x_before_, i) + point(state.x, i)), f = point(force, i);
    target.linear += h * f;
    target.angular += h * middle.cross(f);
  }

  const std::vector<RigidMotion> parts = rigid_motions(system, state.x, state.v, state.held);
  const double before = measure(system, state).total(), gap = state.ledger.expected_total() - before;
  double free_kinetic = 0.0;
  for (const RigidMotion& r : parts)
    if (!r.held) free_kinetic += r.kinetic;

  struct Change {
    Vec3 old_velocity, old_spin, velocity, spin;
    double scale = 1.0;
  };
  std::vector<Change> changes(parts.size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const RigidMotion& r = parts[k];
    Change& c = changes[k];
    const Momenta& target = start_[k];
    Vec3& owed = state.momentum_owed[k];
    if (r.held) {
      owed.setZero();
      continue;
    }
    c.old_velocity = r.linear / r.mass;
    const Vec3 l = r.spin_momentum();
    c.old_spin = r.spin(l);
    c.velocity = target.linear / r.mass;
    const double inner = r.inner_kinetic();
    const double wanted = r.kinetic + (free_kinetic > 0.0 ? gap * r.kinetic / free_kinetic : 0.0);
    const Vec3 wished = target.angular - r.centre.cross(target.linear) - l + owed;
    Vec3 correction = wished;
    // A correction that would change the inner motion by more than a third is made in parts, the rest carried
    // on.
    for (int halvings = 0;; ++halvings) {
      const Vec3 goal = l + correction;
      c.spin = r.spin(goal);
      const double left = wanted - 0.5 * target.linear.squaredNorm() / r.mass - 0.5 * goal.dot(c.spin);
      c.scale = inner > 0.0 && left > 0.0 ? std::sqrt(left / inner) : 0.0;
      if (inner <= 1e-14 * r.kinetic) c.scale = 1.0;  // rigid motion: nothing to scale
      if ((c.scale >= 0.7 && c.scale <= 1.4) || halvings == 60) break;
      correction *= 0.5;
    }
    if (!(c.scale >= 0.7 && c.scale <= 1.4)) c.scale = 1.0;
    owed = wished - correction;
  }
  for (int i = 0; i < system.points(); ++i) {
    const std::size_t k = system.piece[i];
    if (parts[k].held) continue;
    const Change& c = changes[k];
    const Vec3 d = point(state.x, i) - parts[k].centre;
    const Vec3 inner = point(state.v, i) - c.old_velocity - c.old_spin.cross(d);
    point(state.v, i) = c.velocity + c.spin.cross(d) + c.scale * inner;
  }
  state.ledger.projected += measure(system, state).total() - before;
}

}  // namespace verve
