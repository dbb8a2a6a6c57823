#include <gtest/gtest.h>

#include "Systems.h"
#include "base/Error.h"
#include "scheme/MakeIntegrator.h"

namespace verve {
namespace {

using test::Case;

IntegratorSettings damped(DampingModel model, double delta, double eta = 0.0) {
  IntegratorSettings settings;
  settings.damping.model = model;
  settings.damping.delta = delta;
  settings.damping.eta = eta;
  settings.newton.tolerance = 1e-10;
  return settings;
}

Case stretched_bar(double stretch = 1.05, double stiffness = 1.0) {
  Case c = test::make_bar(400 * stiffness, 100 * stiffness);
  for (int i = 0; i < c.system.points(); ++i) point(c.state.x, i)[0] *= stretch;
  test::reopen(c);
  return c;
}

/// Free, stretched, bent and spinning.
Case tumbling_bar() {
  Case c = stretched_bar(1.1);
  const Vec3 w(0.3, 1.0, -0.5);
  for (int i = 0; i < c.system.points(); ++i) {
    const Vec3 x = point(c.state.x, i);
    point(c.state.v, i) = w.cross(x) + Vec3(0.2, 0.1, 0.3) + Vec3(0, 0.5 * std::sin(3 * x[0]), 0);
  }
  test::reopen(c);
  return c;
}

double left_after_a_second(DampingModel model, double delta, int rate) {
  Case c = stretched_bar();
  const auto pins = test::pin_where(c.state.x, [](const Vec3& x) { return x[0] < -1.04; });
  const auto integrator = make_integrator(c.system, damped(model, delta));
  EXPECT_TRUE(test::run(c, *integrator, rate, 1.0 / rate, pins));
  return c.total() / c.state.ledger.start_total;
}

TEST(Blend, IsTheSameAtEveryStep) {
  for (double delta : {0.002, 0.2, 20.0}) {
    const double fine = left_after_a_second(DampingModel::blend, delta, 480);
    for (int rate : {24, 60})
      EXPECT_NEAR(left_after_a_second(DampingModel::blend, delta, rate), fine, std::max(0.03 * fine, 0.001))
          << delta << " " << rate;
  }
  // What it is better than: all of an absurd damping split off, and all of a light one in the step.
  EXPECT_LT(left_after_a_second(DampingModel::split, 20.0, 24),
            0.5 * left_after_a_second(DampingModel::split, 20.0, 480));
  const auto error = [](DampingModel model) {
    return std::abs(left_after_a_second(model, 0.002, 24) - left_after_a_second(model, 0.002, 480));
  };
  EXPECT_GT(error(DampingModel::in_step), 3.0 * error(DampingModel::blend));
}

/// A cloth that swings down while damping all but forbids its springs to change: in a step of a 24th its
/// parts turn by more than they are long.
TEST(Blend, HeavilyDampedClothSwingsAlikeAtEveryStep) {
  const auto left = [](int rate) {
    Case c = test::make_sheet_of_springs(200, 50, {12, 12});
    c.system.gravity = {0, -9.81, 0};
    c.system.finish();
    test::reopen(c);
    const auto corners =
        test::pin_where(c.rest, [](const Vec3& x) { return x[0] < -0.499 && std::abs(x[2]) > 0.499; });
    IntegratorSettings settings = damped(DampingModel::blend, 2.0);
    settings.newton.tolerance = 1e-8;
    const auto integrator = make_integrator(c.system, settings);
    EXPECT_TRUE(test::run(c, *integrator, rate, 1.0 / rate, corners));
    return 1.0 + (c.total() - c.state.ledger.start_total) / c.state.ledger.largest;
  };
  const double fine = left(240);
  for (int rate : {24, 30, 60}) EXPECT_NEAR(left(rate), fine, 0.03 * fine) << rate;
}

class EveryModel : public testing::TestWithParam<DampingModel> {};

TEST_P(EveryModel, BooksCloseToTheTolerance) {
  Case c = tumbling_bar();
  const auto integrator = make_integrator(c.system, damped(GetParam(), 0.02, 0.1));
  ASSERT_TRUE(test::run(c, *integrator, 30, 1.0 / 30));
  // A step's residual is at most 1e-10 / 1000 of the energy by ChordSolver's measure; the flow books what it
  // takes.
  EXPECT_LT(std::abs(c.state.ledger.error(c.total())), 30 * 1e-12);
  EXPECT_GT(c.state.ledger.dissipated, 0.01 * c.state.ledger.largest);
}

/// Without the papers' own forms, which may feed energy: -D v1, and a strain that sees rotation as change.
class TakingModel : public testing::TestWithParam<DampingModel> {};

TEST_P(TakingModel, NeverFeedsEnergy) {
  Case c = tumbling_bar();
  const auto integrator = make_integrator(c.system, damped(GetParam(), 0.5));
  for (int i = 0; i < 30; ++i) {
    const double before = c.state.ledger.dissipated;
    ASSERT_TRUE(test::run(c, *integrator, 1, 1.0 / 30));
    EXPECT_GE(c.state.ledger.dissipated - before, -1e-14 * c.state.ledger.largest);
  }
}

std::shared_ptr<const PointScale> scale(int points, double value) {
  auto made = std::make_shared<PointScale>();
  made->value = Vector::Constant(points, value);
  return made;
}

/// All but the AVF paper's, whose stiffness is that of the whole.
class LocalModel : public testing::TestWithParam<DampingModel> {};

TEST_P(LocalModel, MultiplierOfZeroTakesAPartOut) {
  Case c = tumbling_bar();
  IntegratorSettings settings = damped(GetParam(), 0.02, 0.1);
  settings.damping.multiplier = scale(c.system.points(), 0.0);
  const auto integrator = make_integrator(c.system, settings);
  ASSERT_TRUE(test::run(c, *integrator, 5, 1.0 / 30));
  EXPECT_LT(std::abs(c.state.ledger.dissipated), 1e-13 * c.state.ledger.largest);
}

TEST(Damping, InStepRefusesMultipliersByPoint) {
  Case c = tumbling_bar();
  IntegratorSettings settings = damped(DampingModel::in_step, 0.02);
  settings.damping.multiplier = scale(c.system.points(), 0.5);
  EXPECT_THROW(make_integrator(c.system, settings), Error);
}

INSTANTIATE_TEST_SUITE_P(Models, TakingModel,
                         testing::Values(DampingModel::blend, DampingModel::split,
                                         DampingModel::in_step_chord, DampingModel::hp_frozen));
INSTANTIATE_TEST_SUITE_P(Models, LocalModel,
                         testing::Values(DampingModel::blend, DampingModel::split,
                                         DampingModel::in_step_chord, DampingModel::hp,
                                         DampingModel::hp_frozen));
INSTANTIATE_TEST_SUITE_P(Models, EveryModel,
                         testing::Values(DampingModel::blend, DampingModel::split, DampingModel::in_step,
                                         DampingModel::in_step_chord, DampingModel::hp,
                                         DampingModel::hp_frozen));

TEST(Damping, MovingPinsAreBookedAsWork) {
  class Shaken : public Drivers {
   public:
    void pins(double time, std::vector<Pin>& out) const override {
      out.clear();
      for (int i : {0, 1, 2, 3}) out.push_back({i, Vec3(point(x, i)) + Vec3(0, 0.1 * std::sin(9 * time), 0)});
    }
    Vector x;
  };
  for (DampingModel model : {DampingModel::blend, DampingModel::split, DampingModel::in_step_chord}) {
    Case c = stretched_bar(1.0);
    Shaken pins;
    pins.x = c.rest;
    const auto integrator = make_integrator(c.system, damped(model, 0.05, 0.2));
    ASSERT_TRUE(test::run(c, *integrator, 60, 1.0 / 30, pins));
    EXPECT_LT(std::abs(c.state.ledger.error(c.total())), 60 * 1e-12);
    EXPECT_GT(c.state.ledger.work, 0.0);
    EXPECT_GT(c.state.ledger.dissipated, 0.0);
  }
}

TEST(Damping, EtaAloneIsExact) {
  Case c = test::make_bar();
  c.state.v.setConstant(1.0);
  test::reopen(c);
  const auto integrator = make_integrator(c.system, damped(DampingModel::blend, 0.0, 0.7));
  ASSERT_TRUE(test::run(c, *integrator, 10, 0.1));
  EXPECT_NEAR(c.state.v.maxCoeff(), std::exp(-0.7), 1e-12);
  EXPECT_NEAR(c.state.v.minCoeff(), std::exp(-0.7), 1e-12);
}

struct Keeper {
  IntegratorType type;
  double alpha;
  DampingModel model;
  double h;
  double delta = 0.003;
};

class MomentumKeepers : public testing::TestWithParam<Keeper> {};

TEST_P(MomentumKeepers, KeepMomentaToRoundOff) {
  const Keeper k = GetParam();
  Case c = tumbling_bar();
  IntegratorSettings settings = damped(k.model, k.delta);
  settings.type = k.type;
  settings.alpha = k.alpha;
  settings.newton.tolerance = 1e-14;
  settings.linear = LinearKind::direct;
  const Momenta start = momenta(c.system, c.state.x, c.state.v);
  const auto integrator = make_integrator(c.system, settings);
  ASSERT_TRUE(test::run(c, *integrator, 300, k.h));
  const Momenta end = momenta(c.system, c.state.x, c.state.v);
  EXPECT_LT((end.linear - start.linear).norm(), 1e-11 * start.linear.norm());
  EXPECT_LT((end.angular - start.angular).norm(), 1e-11 * start.angular.norm());
  EXPECT_LT(c.total(), 0.9 * c.state.ledger.start_total);
}

INSTANTIATE_TEST_SUITE_P(Schemes, MomentumKeepers,
                         testing::Values(Keeper{IntegratorType::hp, 0.0, DampingModel::split, 1e-3},
                                         Keeper{IntegratorType::hp, 0.0, DampingModel::hp, 1e-3},
                                         Keeper{IntegratorType::hp, 1.0, DampingModel::hp, 1e-3},
                                         Keeper{IntegratorType::hp, 1.0, DampingModel::hp_frozen, 1e-3},
                                         Keeper{IntegratorType::hp, 0.5, DampingModel::split, 5e-3},
                                         Keeper{IntegratorType::hp, 0.5, DampingModel::blend, 5e-3},
                                         Keeper{IntegratorType::hp, 0.5, DampingModel::blend, 5e-3, 0.1},
                                         Keeper{IntegratorType::hp, 0.3, DampingModel::blend, 2e-3},
                                         Keeper{IntegratorType::hp, 0.5, DampingModel::hp_frozen, 5e-3}));

/// The distance between where two runs of 0.2 s end, of n and 2n steps.
double gap(const IntegratorSettings& settings, int n) {
  Case coarse = tumbling_bar(), fine = tumbling_bar();
  const auto a = make_integrator(coarse.system, settings), b = make_integrator(fine.system, settings);
  EXPECT_TRUE(test::run(coarse, *a, n, 0.2 / n) && test::run(fine, *b, 2 * n, 0.1 / n));
  return (coarse.state.x - fine.state.x).norm() + (coarse.state.v - fine.state.v).norm();
}

TEST(Damping, BlendAndSplitKeepOrderTwo) {
  for (DampingModel model : {DampingModel::blend, DampingModel::split}) {
    IntegratorSettings settings = damped(model, 0.001, 0.3);
    settings.newton.tolerance = 1e-12;
    EXPECT_NEAR(std::log2(gap(settings, 100) / gap(settings, 200)), 2.0, 0.15);
  }
}

TEST(Damping, RefusesWhatMakesNoSense) {
  Case c = test::make_bar();
  EXPECT_THROW(make_integrator(c.system, damped(DampingModel::blend, -1.0)), Error);
  EXPECT_THROW(make_integrator(c.system, damped(DampingModel::blend, 0.1, -1.0)), Error);
  EXPECT_THROW(make_integrator(c.system, damped(DampingModel::blend, 1e200)), Error);
  EXPECT_THROW(make_integrator(c.system, damped(DampingModel::blend, NAN)), Error);
  IntegratorSettings settings = damped(DampingModel::blend, 0.1);
  settings.damping.multiplier = scale(1, 1.0);
  EXPECT_THROW(make_integrator(c.system, settings), Error);
  settings = damped(DampingModel::in_step, 0.1);
  settings.type = IntegratorType::symplectic_euler;
  EXPECT_THROW(make_integrator(c.system, settings), Error);
}

}  // namespace
}  // namespace verve
