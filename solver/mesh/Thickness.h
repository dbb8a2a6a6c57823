// How thick a solid is behind each triangle of its surface, and a solid that is nowhere too thin for its
// tets.
#pragma once

#include <vector>

#include "mesh/BoxTree.h"
#include "mesh/Implicit.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// Metres from the middle of each triangle to the other side of the solid: the median over rays within a cone
/// about the inward normal (after the shape diameter function of L. Shapira, A. Shamir and D. Cohen-Or 2008).
/// Infinite where most rays leave through a hole. Triangles wind counter-clockwise seen from outside; those
/// without area take the thickness zero.
std::vector<double> thicknesses(const TriangleMesh& surface);

/// The thickness that the given share of the surface's area is below; infinite if that has none.
double thickness_quantile(const TriangleMesh& surface, const std::vector<double>& thickness, double share);

/// Half of what a limb must measure across, in spacings, for tets that hang together wherever it runs. The
/// largest ball without a node of the body-centred lattice has the radius sqrt(5)/4 = 0.56, which gives the
/// limb nodes; the rest lets neighbours among them share tets.
constexpr double least_half_thickness = 0.75;

/// A solid together with balls around its surface where that is thin: thin limbs become as thick as tets of
/// `spacing` need, thick parts stay as they are. The field's clearance is that of the union.
class ThickenedSolid : public Implicit {
 public:
  /// `thickness` as thicknesses() gives it. The solid must outlive this one.
  ThickenedSolid(const Implicit& solid, const TriangleMesh& surface, const std::vector<double>& thickness,
                 double spacing);

  /// The share of the area that was made thicker.
  double thin_share() const { return thin_share_; }

  double value(const Vec3& p) const override;
  Eigen::AlignedBox3d bounds() const override { return bounds_; }

 private:
  struct Thin {
    Vec3 a, b, c;
    double radius;
  };
  const Implicit& solid_;
  BoxTree tree_;
  std::vector<Thin> thin_;  // in the order of the tree's items
  double largest_ = 0, thin_share_ = 0;
  Eigen::AlignedBox3d bounds_;
};

}  // namespace verve
