// The points of an asynchronous step, each at a time of its own.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "base/Types.h"

namespace verve {

/// Called with every place where a particle may have changed its velocity; between them its way is straight.
using ParticleTrace = std::function<void(int particle, double time, const Vec3& x)>;

/// Points move on straight lines between the impulses they get, and are advanced when one looks at them.
/// Points that the outside moves (pins, colliders) take no impulses; the work that it takes to move them is
/// booked.
struct Particles {
  std::vector<Vec3> x, v;
  std::vector<double> time;          ///< of x
  std::vector<double> inverse_mass;  ///< 1/kg; 0: moved by the outside

  /// Promises that contact leans on: the velocity stays within `stray` of `course`, or the point is listed in
  /// `strayed`.
  std::vector<Vec3> course;
  std::vector<double> stray_squared;
  std::vector<int> strayed;

  ParticleTrace trace;

  double work = 0.0;        ///< of the outside, J
  double dissipated = 0.0;  ///< J

  int size() const { return int(x.size()); }
  void resize(int n) {
    x.resize(n, Vec3::Zero()), v.resize(n, Vec3::Zero()), time.resize(n, 0.0), inverse_mass.resize(n, 0.0);
    course.resize(n, Vec3::Zero()), stray_squared.resize(n, std::numeric_limits<double>::infinity());
  }

  Vec3 at(int i, double t) const { return x[i] + (t - time[i]) * v[i]; }
  void advance(int i, double t) {
    if (time[i] == t) return;
    x[i] += (t - time[i]) * v[i];
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
    if (!((v[i] - course[i]).squaredNorm() <= stray_squared[i])) strayed.push_back(i);
  }
};

}  // namespace verve
