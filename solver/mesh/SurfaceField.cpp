#include "mesh/SurfaceField.h"

#include <algorithm>
#include <cmath>

#include "mesh/MeshGeometry.h"

namespace verve {

SurfaceField::SurfaceField(const TriangleMesh& surface, double open_length)
    : tree_(surface), open_length_(open_length), bounds_(verve::bounds(surface.points)) {}

double SurfaceField::value(const Vec3& p) const {
  const double distance = std::sqrt(tree_.nearest(p).squared_distance);
  const double winding = tree_.winding(p) - 0.5;
  double clearance = distance;
  if (open_length_ > 0) {
    // Off the surface the winding number changes only because of the open edges, by at most
    // open_length / (4 pi d^2) a metre at the distance d from them (the law of Biot and Savart). The
    // clearance c is where that could have used up the margin: margin 4 pi (distance - c)^2 = open_length c.
    const double margin = std::abs(winding) - TriangleTree::winding_error;
    if (margin <= 0) return winding > 0 ? 0x1p-40 * distance : -0x1p-40 * distance;
    const double k = open_length_ / (4 * M_PI * margin);
    clearance = 2 * distance * distance / (2 * distance + k + std::sqrt(k * k + 4 * distance * k));
  }
  return winding > 0 ? clearance : -clearance;
}

}  // namespace verve
