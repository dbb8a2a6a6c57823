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

TEST(PathPotential, PiecesJoinWithoutAJump) {
  for (double a : {-0.5, 0.5}) EXPECT_NEAR(spring_path(a, -1e-13).value, spring_path(a, 1e-13).value, 1e-12);
}

}  // namespace
}  // namespace verve::test
