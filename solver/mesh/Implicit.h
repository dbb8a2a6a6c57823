// Shapes that are given by a function of space instead of by elements.
#pragma once

#include <Eigen/Geometry>

#include "base/Types.h"

namespace verve {

/// A solid described by a field that is positive inside, negative outside and zero on the surface.
class Implicit {
 public:
  virtual ~Implicit() = default;

  /// The field at p, in metres. Its size is a clearance: the field keeps its sign within that distance of p.
  /// Safe to call from several threads.
  virtual double value(const Vec3& p) const = 0;

  /// A box that holds the whole solid.
  virtual Eigen::AlignedBox3d bounds() const = 0;
};

}  // namespace verve
