#include "mesh/TriangleTree.h"

#include <cmath>

#include "mesh/ImplicitShapes.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshTestTools.h"

namespace verve {
namespace {

Vec3 scattered(int i) {
  return 0.6 * Vec3(std::sin(1.3 * i), std::sin(2.1 * i + 1), std::sin(3.7 * i + 2));
}

TEST(TriangleTree, NearestIsThatOfAllTriangles) {
  const TriangleMesh mesh = surface(make_hare(1, 0.06));
  const TriangleTree tree(mesh);
  for (int i = 0; i < 200; ++i) {
    const Vec3 p = scattered(i);
    double least = 1e9;
    for (const auto& t : mesh.triangles) {
      const Vec3 &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
      const Vec3 w = closest_weights(p, a, b, c);
      EXPECT_NEAR(w.sum(), 1, 1e-12);
      EXPECT_GE(w.minCoeff(), 0);
      least = std::min(least, (w[0] * a + w[1] * b + w[2] * c - p).squaredNorm());
    }
    EXPECT_EQ(tree.nearest(p).squared_distance, least);
    EXPECT_EQ(tree.nearest(p, least / 2).triangle, -1);
  }
}

TEST(TriangleTree, ClosestPointOfATriangleBeatsAGridOfItsPoints) {
  for (int i = 0; i < 300; ++i) {
    const Vec3 a = scattered(5 * i), b = scattered(5 * i + 1), p = scattered(5 * i + 3);
    const Vec3 c = i % 3 == 0 ? Vec3(0.3 * a + 0.7 * b) : scattered(5 * i + 2);  // every third is degenerate
    const Vec3 w = closest_weights(p, a, b, c);
    const double found = (w[0] * a + w[1] * b + w[2] * c - p).norm();
    for (int u = 0; u <= 20; ++u)
      for (int v = 0; u + v <= 20; ++v)
        EXPECT_LE(found, (a + u / 20.0 * (b - a) + v / 20.0 * (c - a) - p).norm() + 1e-12);
  }
  const Vec3 dot(1, 2, 3);
  EXPECT_EQ(closest_weights(Vec3::Zero(), dot, dot, dot).sum(), 1);
}

TEST(TriangleTree, WindingIsOneInsideAndZeroOutside) {
  const TriangleTree tree(surface(make_hare(1, 0.05)));
  const Solid hare = hare_solid(1);
  int inside = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 p = scattered(i);
    if (std::abs(hare->value(p)) < 0.02) continue;
    const bool in = hare->value(p) > 0;
    inside += in;
    EXPECT_NEAR(tree.winding(p), in ? 1 : 0, TriangleTree::winding_error);
  }
  EXPECT_GT(inside, 20);
}

TEST(TriangleTree, WindingOfAnOpenDiscIsItsSolidAngle) {
  TriangleMesh disc{{{0, 0, 0}}, {}};
  constexpr int n = 400;
  for (int i = 0; i < n; ++i) {
    disc.points.emplace_back(std::cos(2 * M_PI * i / n), std::sin(2 * M_PI * i / n), 0);
    disc.triangles.push_back({0, 1 + i, 1 + (i + 1) % n});
  }
  const TriangleTree tree(disc);
  for (double z : {0.1, 0.5, 1.0, 3.0}) {
    const double share = (1 - z / std::sqrt(1 + z * z)) / 2;
    EXPECT_NEAR(tree.winding({0, 0, -z}), share, TriangleTree::winding_error / 10);
    EXPECT_NEAR(tree.winding({0, 0, z}), -share, TriangleTree::winding_error / 10);
  }
}

}  // namespace
}  // namespace verve
