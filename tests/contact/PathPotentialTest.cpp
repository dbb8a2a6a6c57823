#include "contact/PathPotential.h"

#include <gtest/gtest.h>

#include <cmath>

namespace verve::test {
namespace {

// Central differences with d = 1e-6 of functions with derivatives of order 1 to 1e3 are good to 1e-7 of them.
template <class Path>
void check_derivatives(const Path& path, double b) {
  const double d = 1e-6 * std::abs(b);
  const PathPotential p = path(b), up = path(b + d), down = path(b - d);
  const double size = std::abs(p.slope) + std::abs(p.curvature * b) + 1e-6;
  EXPECT_NEAR((up.value - down.value) / (2 * d), p.slope, 1e-6 * size);
  EXPECT_NEAR((up.slope - down.slope) / (2 * d), p.curvature, 1e-6 * size / std::abs(b));
}

TEST(PathPotential, SpringPathClosesTheEnergyBalanceAndHasItsDerivatives) {
  for (double a : {-2.0, -0.3, -1e-9, 0.0, 1e-9, 0.02, 0.4, 3.0})
    for (double b : {-3.0, -0.5, -1e-3, 1e-3, 0.6, 2.0}) {
      SCOPED_TRACE(testing::Message() << "a " << a << " b " << b);
      const PathPotential p = spring_path(a, b);
      EXPECT_NEAR(p.slope * (b - a), spring(b).value - spring(a).value, 1e-15 * (a * a + b * b));
      EXPECT_GE(p.curvature, 0.0);
      EXPECT_LE(p.curvature, 1.0);
      check_derivatives([&](double x) { return spring_path(a, x); }, b);
      check_derivatives(spring, b);
    }
}

TEST(PathPotential, ForceHasAGap) {
  for (double a : {-2.0, -0.3, -1e-3, 1e-3, 0.02, 0.4, 3.0})
    for (double force : {1e-4, 1e-2, 0.5, 40.0}) {
      SCOPED_TRACE(testing::Message() << "a " << a << " force " << force);
      const double b = spring_path_gap(a, force);
      EXPECT_NEAR(-spring_path(a, b).slope, force, 1e-12 * (force + std::abs(a)));
      EXPECT_EQ(spring_path_secant(a, b, force), spring_path(a, b).curvature);
    }
}

// A point that lands with the speed that its way asks for: inertia m (b - way), and the force of the secant
// towards what the last linear model said. Newton's method alone halves b again and again.
TEST(PathPotential, SecantsLandAPointInFewerIterations) {
  const double a = 0.03, way = -0.03, inertia = 1e-4;
  const auto iterations = [&](bool secants) {
    double b = way, force = -1.0;
    for (int k = 1; k < 50; ++k) {
      const PathPotential p = spring_path(a, b);
      const double curvature = secants && force >= 0.0 ? spring_path_secant(a, b, force) : p.curvature;
      const double change = -(inertia * (b - way) + p.slope) / (inertia + curvature);
      force = std::max(0.0, -p.slope - curvature * change);
      b += change;
      if (std::abs(inertia * (b - way) + spring_path(a, b).slope) < 1e-9 * inertia * std::abs(way)) return k;
    }
    return 50;
  };
  EXPECT_LE(iterations(true), 5);
  EXPECT_GE(iterations(false), 8);
}

TEST(PathPotential, PiecesJoinWithoutAJump) {
  for (double a : {-0.5, 0.5}) EXPECT_NEAR(spring_path(a, -1e-13).value, spring_path(a, 1e-13).value, 1e-12);
}

}  // namespace
}  // namespace verve::test
