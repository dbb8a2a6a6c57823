// What sheets are made of, in SI units, and the frame that it is told in.
#pragma once

#include <array>
#include <vector>

#include "base/Types.h"

namespace verve {

/// A symmetric law between three strains (or curvatures) along warp, weft, and twice the mixed one.
struct SheetLaw {
  double along_warp = 0.0, along_weft = 0.0, mixed = 0.0, shear = 0.0;  ///< C11, C22, C12, C33

  SheetLaw operator*(double by) const { return {along_warp * by, along_weft * by, mixed * by, shear * by}; }
  /// Whether every strain costs energy, or none of them any.
  bool semidefinite() const {
    return along_warp >= 0.0 && along_weft >= 0.0 && shear >= 0.0 && mixed * mixed <= along_warp * along_weft;
  }
  bool operator==(const SheetLaw& o) const {
    return along_warp == o.along_warp && along_weft == o.along_weft && mixed == o.mixed && shear == o.shear;
  }
};

/// An isotropic law: Young's modulus times thickness (N/m), or a flexural rigidity (N m) times 1 - nu^2.
SheetLaw isotropic_law(double stiffness, double poisson);
/// A law with two directions; `poisson` is the mixed part over the mean of the two.
SheetLaw woven_law(double warp, double weft, double shear, double poisson);

/// A triangle of a membrane.
struct SheetMaterial {
  SheetLaw stretch;                           ///< N/m
  SheetLaw bend;                              ///< N m
  double warp_limit = 0.0, weft_limit = 0.0;  ///< stretch at which it is hardly to be stretched on; 0: none
  double density = 0.0;                       ///< kg/m^2
  Vec3 warp = Vec3::UnitX();                  ///< where the warp goes at rest, in any length
};

/// The gradients of the three corners' barycentric coordinates along warp and weft, and the area.
struct SheetFrame {
  double gradient[3][2];
  double area;
  Vec3 warp, weft;  ///< orthonormal, in the triangle's plane
};
SheetFrame sheet_frame(const std::array<Vec3, 3>& corners, const Vec3& warp);

}  // namespace verve
