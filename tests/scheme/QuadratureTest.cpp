#include "energy/Quadrature.h"

#include <gtest/gtest.h>

#include <cmath>

#include "integrator/ChordScheme.h"
#include "scheme/Avf.h"
#include "scheme/ImplicitMidpoint.h"

namespace verve {
namespace {

double average_of_power(const Quadrature& rule, int power) {
  double sum = 0;
  for (const QuadratureNode& node : rule) sum += node.weight * std::pow(node.s, power);
  return sum;
}

TEST(Quadrature, GaussIsExactToDegree2nMinus1) {
  for (int n = 1; n <= 8; ++n) {
    for (int power = 0; power < 2 * n; ++power)
      EXPECT_NEAR(average_of_power(gauss(n), power), 1.0 / (power + 1), 1e-15) << n << " " << power;
    EXPECT_GT(std::abs(average_of_power(gauss(n), 2 * n) - 1.0 / (2 * n + 1)), 1e-12) << n;
  }
}

TEST(Quadrature, SimpsonIsExactForCubics) {
  for (int power = 0; power <= 3; ++power)
    EXPECT_NEAR(average_of_power(simpson(), power), 1.0 / (power + 1), 1e-15);
}

TEST(ChordScheme, SimpsonGivesThePapersWeights) {
  // AVF paper, equation 12: 2h^2/3 E((x0 + x)/2) + h^2/12 E(x), and y with h^2/12.
  const ChordScheme scheme = avf_scheme(simpson());
  EXPECT_DOUBLE_EQ(scheme.start, 1.0 / 12);
  ASSERT_EQ(scheme.samples.size(), 2u);
  EXPECT_DOUBLE_EQ(scheme.samples[0].s, 0.5);
  EXPECT_DOUBLE_EQ(scheme.samples[0].w, 2.0 / 3);
  EXPECT_DOUBLE_EQ(scheme.samples[1].s, 1.0);
  EXPECT_DOUBLE_EQ(scheme.samples[1].w, 1.0 / 12);
}

TEST(ChordScheme, OnePointGaussIsTheMidpointRule) {
  const ChordScheme gauss1 = avf_scheme(gauss(1)), midpoint = implicit_midpoint_scheme();
  ASSERT_EQ(gauss1.samples.size(), 1u);
  EXPECT_DOUBLE_EQ(gauss1.samples[0].s, midpoint.samples[0].s);
  EXPECT_DOUBLE_EQ(gauss1.samples[0].w, midpoint.samples[0].w);
}

}  // namespace
}  // namespace verve
