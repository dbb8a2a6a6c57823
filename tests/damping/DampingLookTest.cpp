#include "damping/DampingLook.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/Error.h"

namespace verve {
namespace {

/// Follows x'' + (eta + delta w^2) x' + w^2 x = 0 from rest at 1 in tiny steps, and gives x and v at time t.
std::pair<double, double> swing(const Rayleigh& r, double frequency, double t) {
  const double w = 2.0 * M_PI * frequency, c = r.eta + r.delta * w * w;
  const int steps = 200000;
  const double h = t / steps;
  double x = 1.0, v = 0.0;
  for (int i = 0; i < steps; ++i) {  // the classical Runge-Kutta rule
    const auto a = [&](double y, double u) { return -c * u - w * w * y; };
    const double k1 = v, l1 = a(x, v), k2 = v + .5 * h * l1, l2 = a(x + .5 * h * k1, k2);
    const double k3 = v + .5 * h * l2, l3 = a(x + .5 * h * k2, k3), k4 = v + h * l3, l4 = a(x + h * k3, k4);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return {x, v};
}

TEST(DampingLook, HalfLifeHalvesTheAmplitude) {
  for (DampingKind kind : {DampingKind::delta, DampingKind::eta}) {
    const Rayleigh r = from_half_life(0.7, 3.0, kind);
    EXPECT_NEAR(r.half_life(3.0), 0.7, 1e-14);
    // After a whole number of damped swings the amplitude is x itself.
    const double zeta = r.ratio(3.0), period = 1.0 / (3.0 * std::sqrt(1.0 - zeta * zeta));
    const double swings = 5;
    EXPECT_NEAR(swing(r, 3.0, swings * period).first, std::pow(0.5, swings * period / 0.7), 1e-9);
  }
}

TEST(DampingLook, RestitutionIsTheShareOfSpeedAfterHalfASwing) {
  const Rayleigh r = from_restitution(0.6, 2.0);
  const double zeta = r.ratio(2.0), half = 0.5 / (2.0 * std::sqrt(1.0 - zeta * zeta));
  EXPECT_NEAR(swing(r, 2.0, half).first, -0.6, 1e-9);
}

TEST(DampingLook, TwoRatiosAreBothMet) {
  const Rayleigh r = from_two_ratios(0.05, 1.0, 0.08, 10.0);
  EXPECT_NEAR(r.ratio(1.0), 0.05, 1e-15);
  EXPECT_NEAR(r.ratio(10.0), 0.08, 1e-15);
  EXPECT_NEAR(from_ratio(0.1, 4.0).ratio(4.0), 0.1, 1e-15);
  EXPECT_NEAR(from_ratio(0.1, 4.0, DampingKind::eta).ratio(4.0), 0.1, 1e-15);
}

TEST(DampingLook, RefusesWhatCannotBe) {
  EXPECT_THROW(from_ratio(-0.1, 1.0), Error);
  EXPECT_THROW(from_ratio(0.1, 0.0), Error);
  EXPECT_THROW(from_half_life(0.0, 1.0), Error);
  EXPECT_THROW(from_restitution(0.0, 1.0), Error);
  EXPECT_THROW(from_restitution(1.1, 1.0), Error);
  EXPECT_THROW(from_two_ratios(0.01, 1.0, 0.9, 1.5), Error);  // eta would have to feed energy
}

}  // namespace
}  // namespace verve
