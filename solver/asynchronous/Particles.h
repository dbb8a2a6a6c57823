// The points of an asynchronous step, each at a time of its own.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "base/Types.h"

namespace verve {

/// Called with every place where a particle may have got an impulse; between them nothing but its load turns
/// it.
using ParticleTrace = std::function<void(int particle, double time, const Vec3& x)>;

/// Points fly freely between the impulses they get, and are advanced when one looks at them. Steady loads,
/// such as gravity, are part of the flight, exactly: given as impulses they would shake what is at rest, and
/// friction and damping would take that energy from it for ever. Points that the outside moves (pins,
/// colliders) take no impulses; the work that it takes to move them is booked.
struct Particles {
  double start = 0.0;  ///< of the step, s
  std::vector<Vec3> x, v;
  std::vector<double> time;          ///< of x and v
  std::vector<Vec3> fall;            ///< acceleration of the free flight, m/s^2
  std::vector<double> inverse_mass;  ///< 1/kg; 0: moved by the outside

  /// Promises that contact leans on: the steady part of the velocity stays within `stray` of `course`, or the
  /// point is listed in `strayed`.
  std::vector<Vec3> course;
  std::vector<double> stray_squared;
  std::vector<int> strayed;

  ParticleTrace trace;

  double work = 0.0;        ///< of the outside, J
  double dissipated = 0.0;  ///< J

  int size() const { return int(x.size()); }
  void resize(int n) {
    x.resize(n, Vec3::Zero()), v.resize(n, Vec3::Zero()), time.resize(n, 0.0), inverse_mass.resize(n, 0.0);
    fall.resize(n, Vec3::Zero());
    course.resize(n, Vec3::Zero()), stray_squared.resize(n, std::numeric_limits<double>::infinity());
  }

  Vec3 at(int i, double t) const {
    const double dt = t - time[i];
    return x[i] + dt * (v[i] + 0.5 * dt * fall[i]);
  }
  Vec3 velocity_at(int i, double t) const { return v[i] + (t - time[i]) * fall[i]; }
  /// What only impulses change: the velocity at the step's start that would have led here without any.
  Vec3 steady(int i) const { return velocity_at(i, start); }
  /// The velocity at a time of a point that keeps to its course.
  Vec3 course_at(int i, double t) const { return course[i] + (t - start) * fall[i]; }
  void advance(int i, double t) {
    if (time[i] == t) return;
    x[i] = at(i, t);
    v[i] = velocity_at(i, t);
    time[i] = t;
    if (trace) trace(i, t, x[i]);
  }
  void kick(int i, const Vec3& impulse) {
    if (inverse_mass[i] == 0.0) {
      work -= impulse.dot(v[i]);
      return;
    }
    v[i] += inverse_mass[i] * impulse;
    keep_promise(i);
  }
  /// To be called after the velocity has changed.
  void keep_promise(int i) {
    // Written so that what is not a number has strayed too.
    if (!((steady(i) - course[i]).squaredNorm() <= stray_squared[i])) strayed.push_back(i);
  }
};

}  // namespace verve
