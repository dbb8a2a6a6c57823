#include <gtest/gtest.h>

#include <complex>
#include <utility>

#include "Systems.h"
#include "scheme/MakeIntegrator.h"

namespace verve {
namespace {

using test::Case;

constexpr double swing = 0.001;

/// A mass of 1 kg on a spring along x whose other end is held: one mode of w radians a second, pulled.
Case oscillator(double w) {
  const auto make = [](double stiffness) {
    Case c;
    c.rest = test::stacked({{0, 0, 0}, {1, 0, 0}});
    c.state.x = test::stacked({{0, 0, 0}, {1 + swing, 0, 0}});
    c.system.mass = Vector::Ones(6);
    const SpringMaterial material{SpringModel::hookean, {stiffness}, {1.0}, {1.0}};
    c.system.elastic.push_back(make_spring_energy({{0, 1}}, material, partition_points(c.rest, 1)));
    test::finish(c);
    return c;
  };
  const double unit = make(1.0).total() / (0.5 * swing * swing);  // of w^2, whatever the spring's formula
  return make(w * w / unit);
}

/// x'' = -w^2 x - delta w^2 x': the energy after t seconds as a share, the mean of a start with x and one
/// with v (each by itself falls in ripples, so that a slip of phase would show).
double exact(double w, double delta, double t) {
  using Complex = std::complex<double>;
  const double a = 0.5 * delta * w * w;
  const Complex s = std::sqrt(Complex(a * a - w * w)) + 1e-9 * w;
  // (a + s)(a - s) = w^2 gives the slow root without cancellation.
  const Complex slow = -w * w / (a + s), fast = -a - s;
  double sum = 0.0;
  for (const auto& [x0, v0] : {std::pair(1.0, 0.0), std::pair(0.0, w)}) {
    const Complex c = (v0 - fast * x0) / (slow - fast), d = x0 - c;
    const double x = (c * std::exp(slow * t) + d * std::exp(fast * t)).real();
    const double v = (c * slow * std::exp(slow * t) + d * fast * std::exp(fast * t)).real();
    sum += 0.5 * (x * x + v * v / (w * w));
  }
  return sum;
}

double left(double w, double delta, int rate, int steps, DampingModel model = DampingModel::blend) {
  double sum = 0.0;
  for (bool moving : {false, true}) {
    Case c = oscillator(w);
    if (moving) {
      point(c.state.x, 1)[0] = 1.0;
      point(c.state.v, 1)[0] = swing * w;
      test::reopen(c);
    }
    IntegratorSettings settings;
    settings.damping.model = model;
    settings.damping.delta = delta;
    const auto integrator = make_integrator(c.system, settings);
    EXPECT_TRUE(test::run(c, *integrator, steps, 1.0 / rate, test::FixedPins({{0, Vec3::Zero()}})));
    sum += 0.5 * c.total() / c.state.ledger.start_total;
  }
  return sum;
}

/// From swings that take seconds to vibrations of a thousand a second, damped from a thousandth of a step to
/// many steps: the energy is that of the exact motion, within 3 % of it or a thousandth of the start's.
TEST(EveryFrequency, IsDampedRightAtOneStepAFrame) {
  for (double delta : {0.0002, 0.002, 0.02, 0.2, 2.0, 20.0})
    for (double w = 0.5; w < 6000; w *= 1.7) {
      const double wanted = exact(w, delta, 1.0);
      EXPECT_NEAR(left(w, delta, 24, 24), wanted, std::max(0.03 * wanted, 0.001))
          << "delta " << delta << ", w " << w;
    }
}

/// What the filter is there for: positions that jump from side to side, which splitting alone leaves as they
/// are: of the two starts, that with x keeps nearly all, that with v nothing.
TEST(EveryFrequency, IsNotWhatSplittingAloneDoes) {
  EXPECT_GT(left(5000, 0.0005, 24, 24, DampingModel::split), 0.4);
  EXPECT_LT(left(5000, 0.0005, 24, 24), 1e-3);
}

/// A weight that hangs still has nothing to be damped: the filter sees forces, but together they are none.
TEST(Filter, LeavesWhatHangsStillWhereItIs) {
  Case c = oscillator(20);
  const double sag = 9.81 / 400;  // g / w^2
  c.system.gravity = {9.81, 0, 0};
  c.system.finish();
  point(c.state.x, 1)[0] = 1.0 + sag;
  test::reopen(c);
  IntegratorSettings settings;
  settings.damping.delta = 0.01;
  settings.newton.tolerance = 1e-10;
  const auto integrator = make_integrator(c.system, settings);
  ASSERT_TRUE(test::run(c, *integrator, 48, 1.0 / 24, test::FixedPins({{0, Vec3::Zero()}})));
  EXPECT_NEAR(point(c.state.x, 1)[0], 1.0 + sag, 1e-9);
}

}  // namespace
}  // namespace verve
