#include "energy/SheetMaterial.h"

#include <Eigen/Geometry>
#include <cmath>

namespace verve {

SheetLaw isotropic_law(double stiffness, double poisson) {
  const double plane = stiffness / (1.0 - poisson * poisson);
  return {plane, plane, poisson * plane, 0.5 * stiffness / (1.0 + poisson)};
}

SheetLaw woven_law(double warp, double weft, double shear, double poisson) {
  return {warp, weft, poisson * std::sqrt(warp * weft), shear};
}

SheetFrame sheet_frame(const std::array<Vec3, 3>& corners, const Vec3& warp) {
  const Vec3 a = corners[1] - corners[0], b = corners[2] - corners[0], across = a.cross(b);
  const Vec3 normal = across.normalized();
  SheetFrame frame;
  frame.area = 0.5 * across.norm();
  frame.warp = warp - normal.dot(warp) * normal;
  // Where the warp stands on the triangle it says nothing.
  if (!(frame.warp.norm() > 1e-6 * warp.norm())) frame.warp = a;
  frame.warp.normalize();
  frame.weft = normal.cross(frame.warp);
  const double ax = a.dot(frame.warp), ay = a.dot(frame.weft), bx = b.dot(frame.warp), by = b.dot(frame.weft);
  const double inverse = 1.0 / (ax * by - ay * bx);
  double(&g)[3][2] = frame.gradient;
  g[1][0] = by * inverse, g[1][1] = -bx * inverse;
  g[2][0] = -ay * inverse, g[2][1] = ax * inverse;
  for (int k = 0; k < 2; ++k) g[0][k] = -g[1][k] - g[2][k];
  return frame;
}

}  // namespace verve
