// What the outside prescribes: pins, targets and forces as functions of time.
#pragma once

#include <vector>

#include "base/Types.h"

namespace verve {

/// A point that is held where the outside puts it.
struct Pin {
  int point;
  Vec3 position;
};

/// A point that is drawn towards a place: stiffness in N/m, damping in N s/m against the motion relative to
/// it.
struct Target {
  int point;
  Vec3 position;
  double stiffness;
  double damping;
};

/// Both lists come in ascending order of points and name a point at most once. They may change from one time
/// to the next: pins and targets enter and leave mid-run.
class Drivers {
 public:
  virtual ~Drivers() = default;
  virtual void pins(double time, std::vector<Pin>& out) const { (void)time, out.clear(); }
  virtual void targets(double time, std::vector<Target>& out) const { (void)time, out.clear(); }
  /// Adds outside forces (N) other than gravity.
  virtual void add_forces(double time, Vector& force) const { (void)time, (void)force; }
};

}  // namespace verve
