// What a sheet's elements have for a rest shape beside that of their points.
#pragma once

#include "base/Types.h"

namespace verve {

/// Membranes and bending whose rest shape may change: of an element it is three numbers, Green's strain (11,
/// 22 and 12) of a shape without stress or the curvatures (warp, weft and twice the mixed one, 1/m) of a
/// sheet without moments, seen from the shape that the element was made with. The first of
/// Energy::constants() are these three and the area, the others the four of its SheetLaw.
class SheetRest {
 public:
  static constexpr int constants = 8, rest_constants = 4;

  virtual ~SheetRest() = default;
  /// Of each element, the three numbers with which it would be at rest as it stands at x.
  virtual void present(const Vector& x, double* out) const = 0;
};

}  // namespace verve
