// The curvature of a triangulated sheet, from its points alone.
#pragma once

#include <array>
#include <vector>

#include "energy/SheetMaterial.h"

namespace verve {

/// A triangle's curvature along warp, weft, and twice the mixed one, as vectors: h_a = sum_i w[i][a] x_i. At
/// rest they are rest[a] times the unit normal. The first three points are the triangle's corners; where
/// there are fewer than twelve the last ones are corner 0 with no weight.
struct CurvatureStencil {
  std::array<int, 12> point;
  double w[12][3];
  double gradient[3][2];  ///< as SheetFrame's
  double area;
  double rest[3];
};

/// The curvature of Morley's plate element (1968), the mean over the triangle of the second derivatives, from
/// the derivatives across its sides' midpoints. Morley has those as unknowns; here each is that of the
/// quadratic that fits the unfolded neighbourhood of the side best. Rigid motion has no curvature, and a
/// cylinder has its own on any mesh, which hinge angles do not give. Where a side belongs to one triangle, or
/// to more than two, the sheet ends.
std::vector<CurvatureStencil> curvature_stencils(const Vector& rest,
                                                 const std::vector<std::array<int, 3>>& triangles,
                                                 const std::vector<SheetMaterial>& material);

}  // namespace verve
