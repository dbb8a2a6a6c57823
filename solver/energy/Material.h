// The shape that every tet material has here: a density f(I1) + c2 I2 + g(J).
#pragma once

#include "base/Pack.h"

namespace verve {

/// What a density needs to know of a deformation gradient F. C = F^T F, E = (C - 1)/2.
struct Strain {
  Pack trace;    ///< tr E; I1 = tr C = 3 + 2 tr E
  Pack squared;  ///< E : E
  Pack volume;   ///< J = det F
};

/// A density and its derivatives. With I2 = (tr^2 C - tr C^2)/2 the stress and its derivative are
///   P  = 2 linear F - 2 c2 F C + g1 cof F
///   dP = 2 linear dF + 4 (f11 + c2) (F:dF) F - 2 c2 (dF C + F dF^T F + F F^T dF) + g2 (cof F:dF) cof F + g1
///   d(cof F)
struct Density {
  Pack value;
  Pack linear;  ///< df/dI1 + c2 I1, given as one number because the two nearly cancel near rest
  Pack f11;     ///< d2f/dI1^2
  Pack c2;
  Pack g1, g2;  ///< dg/dJ, d2g/dJ^2
};

/// The logarithm of a volume and its derivatives. Below a tenth it goes on as a parabola, after Stomakhin and
/// others (2012): a wall at J = 0 would stop elements that a step's force does not see there, and then no
/// step, however short, would have a solution. This way they turn over and are pushed back.
struct LogVolume {
  Pack value, slope, curvature;

  explicit LogVolume(Pack j) {
    constexpr double least = 0.1;
    const Pack kept = max(j, least), below = j - kept;
    slope = 1.0 / kept;
    curvature = -slope * slope;
    value = log(kept) + slope * below + 0.5 * curvature * below * below;
    slope += curvature * below;
  }
};

}  // namespace verve
