#include "mesh/SkinBinding.h"

#include <cmath>

#include "base/Parallel.h"
#include "mesh/ImplicitShapes.h"
#include "mesh/MeshGeometry.h"
#include "mesh/MeshTestTools.h"
#include "mesh/Shapes.h"

namespace verve {
namespace {

Vector dofs(const std::vector<Vec3>& points) {
  Vector x(3 * points.size());
  for (std::size_t i = 0; i < points.size(); ++i) point(x, int(i)) = points[i];
  return x;
}

template <class Map>
std::vector<Vec3> mapped(const std::vector<Vec3>& points, const Map& map) {
  std::vector<Vec3> out;
  for (const Vec3& p : points) out.push_back(map(p));
  return out;
}

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, (a[i] - b[i]).norm());
  return d;
}

TEST(Skin, StaysWhereItIsAndFollowsAffineMotionExactly) {
  const TetMesh cage = make_hare(1, 0.1);
  const TriangleMesh surface = verve::surface(make_hare(1, 0.04));
  const SkinBinding skin(surface, cage);
  std::vector<Vec3> moved;
  skin.positions(dofs(cage.points), moved);
  // Points outside lie at most about a spacing from their tet, so their weights are of the order of one.
  EXPECT_LT(farthest(moved, surface.points), 1e-12);
  Mat3 a;
  a << 1.2, 0.3, -0.1, 0.2, 0.7, 0.4, -0.5, 0.1, 0.9;
  const auto map = [&](const Vec3& p) -> Vec3 { return a * p + Vec3(1, 2, 3); };
  skin.positions(dofs(mapped(cage.points, map)), moved);
  EXPECT_LT(farthest(moved, mapped(surface.points, map)), 1e-12);
}

TEST(Skin, WeightsAddUpAndAreInsideTheTetForPointsInside) {
  const TetMesh cage = make_box({2, 2, 2}, {3, 3, 3});
  const TriangleMesh inner = surface(make_sphere(0.9, 0.3));
  const SkinBinding skin(inner, cage);
  EXPECT_EQ(skin.outside(), 0);
  EXPECT_EQ(skin.farthest_distance(), 0);
  for (const auto& b : skin.bindings()) {
    double sum = 0;
    for (double w : b.weights) {
      sum += w;
      EXPECT_GE(w, -1e-9);
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

TEST(Skin, SaysHowFarItIsOutside) {
  const TetMesh cage = make_box({2, 2, 2}, {2, 2, 2});
  const TriangleMesh spike{{{0, 0, 0}, {1.5, 0.2, 0.1}, {0, 3, 0}}, {{0, 1, 2}}};
  const SkinBinding skin(spike, cage);
  EXPECT_EQ(skin.outside(), 2);
  EXPECT_EQ(skin.farthest_point(), 2);
  EXPECT_NEAR(skin.farthest_distance(), 2, 1e-12);
}

TEST(Skin, NormalsOfABallPointOutwardsAndTurnWithIt) {
  const TetMesh cage = make_sphere(1.1, 0.3);
  const TriangleMesh ball = surface(make_sphere(1, 0.1));
  const SkinBinding skin(ball, cage);
  const Mat3 turn = Eigen::AngleAxisd(0.8, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Vector x = dofs(mapped(cage.points, [&](const Vec3& p) -> Vec3 { return turn * p; }));
  std::vector<Vec3> positions, normals, turned;
  skin.positions(x, positions);
  skin.normals(positions, normals);
  // A triangle of size h on the unit ball is tilted by at most about h.
  for (std::size_t i = 0; i < normals.size(); ++i) EXPECT_GT(normals[i].dot(positions[i]), std::cos(0.1));
  std::vector<int> points;
  for (int i = 0; i < int(ball.points.size()); ++i) points.push_back(i);
  skin.turn_normals(x, points, ball.points, turned);
  for (std::size_t i = 0; i < turned.size(); ++i)
    EXPECT_LT((turned[i] - positions[i].normalized()).norm(), 1e-9);
}

TEST(Skin, NormalsUnderStretchAreThoseOfTheStretchedSurface) {
  const TetMesh cage = make_box({3, 3, 3}, {2, 2, 2});
  const TriangleMesh slope{{{0, 0, 0}, {1, -1, 0}, {0, 0, 1}}, {{0, 2, 1}}};
  const SkinBinding skin(slope, cage);
  const auto map = [](const Vec3& p) { return Vec3(3 * p.x(), p.y(), p.z()); };
  const Vec3 rest = Vec3(1, 1, 0).normalized();
  std::vector<Vec3> turned, positions, normals;
  const Vector x = dofs(mapped(cage.points, map));
  skin.turn_normals(x, {0, 1, 2}, {rest, rest, rest}, turned);
  skin.positions(x, positions);
  skin.normals(positions, normals);
  const Vec3 expected = Vec3(1, 3, 0).normalized();
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT((turned[i] - expected).norm(), 1e-12);
    EXPECT_LT((normals[i] - expected).norm(), 1e-12);
  }
}

TEST(Skin, SameBitsAtEveryNumberOfThreads) {
  const TetMesh cage = make_hare(1, 0.1);
  const TriangleMesh surface = verve::surface(make_hare(1, 0.03));
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    const SkinBinding skin(surface, cage);
    std::vector<Vec3> positions, normals;
    skin.positions(dofs(cage.points), positions);
    skin.normals(positions, normals);
    positions.insert(positions.end(), normals.begin(), normals.end());
    return positions;
  };
  EXPECT_EQ(run(1), run(2));
}

TEST(Skin, RefusesBrokenInput) {
  const TetMesh cage = make_box({1, 1, 1}, {1, 1, 1});
  EXPECT_TRUE(contains(error_of([&] { SkinBinding({{{0, 0, 0}}, {}}, TetMesh{}); }), "cage is empty"));
  EXPECT_TRUE(contains(error_of([&] { SkinBinding({{{0, 0, 0}}, {{0, 0, 4}}}, cage); }), "point 4"));
  EXPECT_TRUE(contains(error_of([&] { SkinBinding({{{0, std::nan(""), 0}}, {}}, cage); }), "point 0"));
}

}  // namespace
}  // namespace verve
