#include "mesh/Thickness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mesh/MeshGeometry.h"
#include "mesh/Mesher.h"
#include "mesh/Shapes.h"
#include "mesh/SurfaceField.h"

namespace verve {
namespace {

TriangleMesh box_surface(const Vec3& size, const Vec3& centre, std::array<int, 3> cells) {
  TetMesh box = make_box(size, cells);
  for (Vec3& p : box.points) p += centre;
  return surface(box);
}

void join(TriangleMesh& to, const TriangleMesh& part) {
  const int first = int(to.points.size());
  to.points.insert(to.points.end(), part.points.begin(), part.points.end());
  for (const auto& t : part.triangles) to.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

/// A slab of 1 x 0.3 x 0.5 m on four legs that measure 0.04 m across.
TriangleMesh table() {
  TriangleMesh mesh = box_surface({1, .3, .5}, {0, .15, 0}, {10, 3, 5});
  for (double x : {-.4, .4})
    for (double z : {-.2, .2}) join(mesh, box_surface({.04, .6, .04}, {x, -.25, z}, {1, 12, 1}));
  return mesh;
}

TEST(Thickness, OfAPlateIsItsHeight) {
  const TriangleMesh plate = box_surface({1, .1, 1}, Vec3::Zero(), {10, 1, 10});
  // Rays lean by up to atan(0.4), which makes them longer by up to sqrt(1.16); the median lies within.
  EXPECT_NEAR(thickness_quantile(plate, thicknesses(plate), 0.5), .1, .1 * (std::sqrt(1.16) - 1) + 1e-9);
}

TEST(Thickness, IsInfiniteWithoutAnotherSide) {
  const TriangleMesh sheet = make_sheet({1, 1}, {3, 3});
  EXPECT_TRUE(std::isinf(thickness_quantile(sheet, thicknesses(sheet), 0.5)));
}

TEST(Thickness, ThickenedFieldKeepsItsSignWithinItsSize) {
  const TriangleMesh mesh = table();
  const SurfaceField field(mesh, 0);
  const double spacing = .1;
  const ThickenedSolid solid(field, mesh, thicknesses(mesh), spacing);
  EXPECT_GT(solid.thin_share(), 0.1);
  // Beside a leg, out of the surface and within what is added: 0.075 - 0.02 around it.
  EXPECT_GT(solid.value({.4 + .02 + .04, -.3, .2}), 0);
  EXPECT_LT(solid.value({.4 + .02 + .06, -.3, .2}), 0);
  // The slab is thick enough and stays what it was.
  EXPECT_LT(solid.value({0, .31, 0}), 0);
  unsigned seed = 1;
  const auto random = [&] { return double((seed = seed * 1664525u + 1013904223u) >> 8) / double(1 << 24); };
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p(1.4 * random() - .7, 1.2 * random() - .7, .9 * random() - .45);
    const Vec3 way = Vec3(random() - .5, random() - .5, random() - .5).normalized();
    const double value = solid.value(p);
    EXPECT_GE(value * solid.value(p + .999 * std::abs(value) * way), 0) << p.transpose();
    EXPECT_GE(value, field.value(p)) << p.transpose();  // nothing is taken away
  }
}

TEST(Thickness, ThinLegsKeepTetsOfOnePieceWhenThickened) {
  const TriangleMesh mesh = table();
  const double leg = -.5;  // the tets' lowest points must come at least this far down
  const auto lowest = [](const TetMesh& tets) { return bounds(tets.points).min()[1]; };
  MeshingReport report;
  // A spacing of more than twice the legs, in lattices that lie differently.
  for (double spacing : {.09, .1, .113, .12}) {
    MeshingOptions options;
    options.spacing = spacing;
    const TetMesh plain = mesh_surface(mesh, options, report);
    EXPECT_TRUE(lowest(plain) > leg || report.pieces > 1) << "no test without legs that are lost";
    options.thicken = true;
    const TetMesh thick = mesh_surface(mesh, options, report);
    EXPECT_EQ(report.pieces, 1) << spacing;
    EXPECT_EQ(report.vanished, 0) << spacing;
    EXPECT_GT(report.thickened, 0.1);
    EXPECT_LT(lowest(thick), leg);
  }
}

}  // namespace
}  // namespace verve
