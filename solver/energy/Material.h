// The shape that every tet material has here: a density f(I1) + c2 I2 + g(J).
#pragma once

#include <limits>

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

/// `value` where J > 0, infinity elsewhere: for materials that do not exist inside out.
inline Pack infinite_if_inverted(Pack value, Pack volume) {
  for (int lane = 0; lane < Pack::size; ++lane)
    if (!(volume[lane] > 0.0)) value.set(lane, std::numeric_limits<double>::infinity());
  return value;
}

}  // namespace verve
