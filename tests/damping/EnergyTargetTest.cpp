#include "damping/EnergyTarget.h"

#include <gtest/gtest.h>

#include "Systems.h"
#include "base/Error.h"
#include "scheme/MakeIntegrator.h"

namespace verve {
namespace {

using test::Case;
using Kind = EnergyTargetSettings::Kind;

Case moving_bar() {
  Case c = test::make_bar();
  for (int i = 0; i < c.system.points(); ++i) {
    const Vec3 x = point(c.state.x, i);
    point(c.state.v, i) =
        Vec3(0.3, 1.0, -0.5).cross(x) + Vec3(0.2, 0.1, 0.3) + Vec3(std::sin(3 * x[0]), 0, 0);
  }
  test::reopen(c);
  return c;
}

/// Runs two seconds of HP, which keeps momenta by itself, under the target.
void run(Case& c, const EnergyTargetSettings& target, const Drivers& drivers = test::FixedPins()) {
  IntegratorSettings settings;
  settings.type = IntegratorType::hp;
  settings.newton.tolerance = 1e-12;
  const auto integrator = make_integrator(c.system, settings);
  for (int i = 0; i < 400; ++i) {
    ASSERT_TRUE(test::run(c, *integrator, 1, 0.005, drivers));
    follow_energy_target(c.system, target, 0.005, measure(c.system, c.state), c.state);
  }
}

TEST(EnergyTarget, LosesWhatWasAskedForAndKeepsMomenta) {
  Case c = moving_bar();
  const Momenta before = momenta(c.system, c.state.x, c.state.v);
  run(c, {Kind::decay, 0.3, 0, 0.1});
  // HP's own energy swings by some per cent with the step.
  EXPECT_NEAR(c.total() / c.state.ledger.start_total, 0.7 * 0.7, 0.05);
  EXPECT_GT(c.state.ledger.dissipated, 0.0);
  const Momenta after = momenta(c.system, c.state.x, c.state.v);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-10 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-10 * before.angular.norm());
}

TEST(EnergyTarget, HoldsAnEnergyWithoutGoingBeyond) {
  Case c = moving_bar();
  const double value = 0.8 * c.state.ledger.start_total;
  run(c, {Kind::hold, 0, value, 0.1});
  EXPECT_NEAR(c.total(), value, 0.05 * value);
  const EnergyLevels now = measure(c.system, c.state);
  follow_energy_target(c.system, {Kind::hold, 0, now.total() * 1.001, 0.1}, 0.005, now, c.state);
  EXPECT_LE(c.total(), now.total() * 1.001 * (1 + 1e-12));
}

TEST(EnergyTarget, HeldPiecesLoseTheirInnerMotion) {
  Case c = moving_bar();
  const auto pins = test::pin_where(c.rest, [](const Vec3& x) { return x[0] < -0.99; });
  run(c, {Kind::decay, 0.5, 0, 0.1}, pins);
  EXPECT_LT(c.total(), 0.4 * (c.state.ledger.start_total + c.state.ledger.work));
}

TEST(EnergyTarget, RefusesWhatMakesNoSense) {
  EXPECT_THROW(check(EnergyTargetSettings{Kind::decay, 1.0, 0, 0.1}), Error);
  EXPECT_THROW(check(EnergyTargetSettings{Kind::decay, -0.1, 0, 0.1}), Error);
  EXPECT_THROW(check(EnergyTargetSettings{Kind::hold, 0, -1, 0.1}), Error);
}

}  // namespace
}  // namespace verve
