// Points against triangles and edges against edges: how near, how that changes, how far they may go.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

#include "Intersections.h"
#include "contact/PairGeometry.h"

namespace verve::test {
namespace {

using Column = Eigen::Matrix<double, 12, 1>;

struct Random {
  std::mt19937 engine{7};
  std::uniform_real_distribution<double> unit{-1.0, 1.0};
  Vec3 vec() { return {unit(engine), unit(engine), unit(engine)}; }
  Corners corners(double size = 1.0) { return {size * vec(), size * vec(), size * vec(), size * vec()}; }
};

Corners moved(Corners x, const Column& by) {
  for (int i = 0; i < 4; ++i) x[std::size_t(i)] += by.segment<3>(3 * i);
  return x;
}

constexpr PairKind kinds[] = {PairKind::point_triangle, PairKind::edge_edge};

// Steps of 1e-4 leave 1e-8 of third derivatives and 1e-8 of round-off in second differences of values of size
// one; where the nearest places jump to other features within the step there is no Hessian, so these are left
// out.
TEST(PairGeometry, DistanceHasItsDerivatives) {
  Random random;
  int compared = 0;
  for (PairKind kind : kinds)
    for (int n = 0; n < 400; ++n) {
      const Corners x = random.corners();
      const PairPlace at = nearest(kind, x);
      if (at.distance < 0.3) continue;
      // f(d) = slope d + curvature d^2/2 about the distance.
      const double slope = -0.8, curvature = 2.0, d = 1e-4;
      const auto f = [&](const Corners& y) {
        const double by = nearest(kind, y).distance - at.distance;
        return slope * by + 0.5 * curvature * by * by;
      };
      bool same = true;
      PairMatrix hessian;
      Column gradient;
      for (int i = 0; i < 12; ++i) {
        const Column up = d * Column::Unit(i);
        const PairPlace there = nearest(kind, moved(x, up)), back = nearest(kind, moved(x, Column(-up)));
        same = same && there.free == at.free && back.free == at.free;
        gradient[i] = (f(moved(x, up)) - f(moved(x, Column(-up)))) / (2 * d);
        for (int k = 0; k < 12; ++k) {
          const Column more = d * Column::Unit(k);
          hessian(i, k) = (f(moved(x, up + more)) - f(moved(x, up - more)) - f(moved(x, more - up)) +
                           f(moved(x, -up - more))) /
                          (4 * d * d);
        }
      }
      if (!same) continue;
      for (int i = 0; i < 12; ++i) {
        const double expected = slope * at.weight[std::size_t(i / 3)] * at.direction[i % 3];
        EXPECT_NEAR(gradient[i], expected, 1e-5);
      }
      const double sine = kind == PairKind::edge_edge
                              ? (x[1] - x[0]).normalized().cross((x[3] - x[2]).normalized()).norm()
                              : 1;
      const double height = kind == PairKind::point_triangle ? (x[2] - x[1]).cross(x[3] - x[1]).norm() : 1;
      if (sine < 0.4 || height < 0.4) continue;  // third derivatives are large there
      const Eigen::SelfAdjointEigenSolver<PairMatrix> eigen(0.5 * (hessian + hessian.transpose()));
      const PairMatrix definite = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
                                  eigen.eigenvectors().transpose();
      const PairMatrix is = distance_hessian(at, x, slope, curvature);
      EXPECT_LT((is - definite).norm(), 1e-3 * std::max(1.0, definite.norm())) << n;
      ++compared;
    }
  EXPECT_GT(compared, 100);
}

// Whatever the nearest places do in between: the distance's change to 1e-9 of the ways' length (it is a
// difference of squares, divided by distances above a thousandth), no force and no torque in sum.
TEST(PairGeometry, MeanGradientDoesTheWorkOfTheDistanceAndKeepsMomenta) {
  Random random;
  for (PairKind kind : kinds)
    for (int n = 0; n < 20000; ++n) {
      const Corners start = random.corners();
      Corners end = n % 4 ? random.corners() : start;
      if (n % 4 == 0)
        for (Vec3& p : end) p += 1e-3 * random.vec();
      const PairPlace before = nearest(kind, start), after = nearest(kind, end);
      if (before.distance < 1e-3 || after.distance < 1e-3) continue;
      const PairMean mean = mean_gradient(before, start, after, end);
      double work = 0.0, weights = 0.0;
      Vec3 torque = Vec3::Zero();
      for (std::size_t i = 0; i < 4; ++i) {
        work += mean.weight[i] * mean.force.dot(end[i] - start[i]);
        weights += mean.weight[i];
        torque += mean.weight[i] * (0.5 * (start[i] + end[i])).cross(mean.force);
      }
      ASSERT_NEAR(work, after.distance - before.distance, 1e-9) << n;
      ASSERT_NEAR(weights, 0.0, 1e-12) << n;
      ASSERT_LT(torque.norm(), 1e-11) << n;
    }
}

// A thousand looks along each way, by a measure that is not the search's own: none nearer than what it
// promised, and what it let pass in whole has no crossing.
TEST(PairGeometry, FreeShareIsNeverTooLong) {
  Random random;
  int cut = 0;
  for (PairKind kind : kinds)
    for (int n = 0; n < 5000; ++n) {
      const Corners x = random.corners(), way = random.corners(n % 3 ? 2.0 : 200.0);
      const double start = nearest(kind, x).distance, least = 0.1 * start;
      if (start < 1e-6) continue;
      const double share = free_share(kind, x, way, least);
      ASSERT_GE(share, 0.0);
      cut += share < 1.0;
      for (int k = 0; k <= 200; ++k) {
        Corners there;
        for (std::size_t i = 0; i < 4; ++i) there[i] = x[i] + share * k / 200.0 * way[i];
        ASSERT_GT(nearest(kind, there).distance, (1 - 1e-9) * least) << n << ' ' << k;
      }
      if (share < 1.0) {
        Corners there;
        for (std::size_t i = 0; i < 4; ++i) there[i] = x[i] + share * way[i];
        EXPECT_LT(nearest(kind, there).distance, 1.2 * least) << n;
      }
    }
  EXPECT_GT(cut, 1000);
}

TEST(Intersections, AreFoundAndNotMadeUp) {
  Surfaces two;
  two.add_triangles({{0, 1, 2}}, 0);
  two.add_triangles({{0, 1, 2}}, 3);
  Vector x(18), y;
  x << 0, 0, 0, 1, 0, 0, 0, 1, 0, .2, .2, .5, .4, .2, .5, .2, .4, .9;
  EXPECT_EQ(intersections(two, x), 0);
  y = x;
  for (int i : {3, 4}) y[3 * i + 2] = -.5;  // an edge goes down through the face
  EXPECT_GT(intersections(two, y), 0);
  for (int i : {3, 4, 5}) y[3 * i + 2] = -.5;
  EXPECT_EQ(intersections(two, y), 0);
  EXPECT_GT(swept_crossings(two, x, y), 0);
  EXPECT_EQ(swept_crossings(two, x, x), 0);
  Vector aside = x;
  for (int i : {3, 4, 5}) aside[3 * i] += 5;
  EXPECT_EQ(swept_crossings(two, x, aside), 0);
}

}  // namespace
}  // namespace verve::test
