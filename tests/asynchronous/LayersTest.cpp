// Contact by nested penalty layers: energy without drift, momenta exact, nothing passes through.
#include <gtest/gtest.h>

#include "Impact.h"
#include "TracedRun.h"
#include "base/Parallel.h"

namespace verve::test {
namespace {

class BothSpacings : public testing::TestWithParam<LayerSpacing> {};

/// The prediction for many contacts: the energy wanders by about safety^2 sqrt(contacts), within 1 % at 1e5
/// contacts and a safety of 0.02. Here a few of them; the benchmark has them all.
TEST_P(BothSpacings, KeepTheEnergyThroughManyContacts) {
  const Scene scene = bouncing_scene(GetParam(), 0.02);
  System system;
  State state;
  compile(scene, system, state);
  record(measure(system, state), state.ledger);
  const SceneDrivers drivers(scene, system, state.x);
  ContactCount contacts(scene.contact.thickness);
  const auto integrator =
      make_asynchronous(system, scene.integrator, [&](int i, double, const Vec3& x) { contacts(i, x); });
  double worst = 0.0;
  constexpr int most_steps =
      20000;  // about three times what it takes; a body that falls asleep, or away, never gets there
  for (int step = 0; contacts.count < 2000; ++step) {
    ASSERT_LT(step, most_steps) << "only " << contacts.count << " contacts";
    integrator->step(drivers, state, 1.0 / 30.0);
    record(measure(system, state), state.ledger);
    worst = std::max(worst, std::abs(state.ledger.error(measure(system, state).total())));
  }
  RecordProperty("worst", std::to_string(worst));
  EXPECT_LT(worst, 0.01);
}

TEST_P(BothSpacings, KeepMomentaOfTwoFreeBodies) {
  const Scene scene = two_body_scene(GetParam(), 0.05);
  Simulation simulation(scene);
  const Momenta before = simulation.report().momentum;
  double elastic = 0.0;
  int deepest = 0;
  for (int f = 0; f < 30; ++f) {
    const FrameReport r = simulation.advance();
    elastic = std::max(elastic, r.levels.elastic);
    deepest = std::max(deepest, r.steps.deepest_layer);
    EXPECT_LT(std::abs(r.ledger_error()), 0.02);
  }
  EXPECT_GT(deepest, 0) << "they did not meet";
  const Momenta after = simulation.report().momentum;
  EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-9 * before.angular.norm());
}

TEST_P(BothSpacings, LetNothingPass) {
  TracedRun run(two_body_scene(GetParam(), 0.1));
  int deepest = 0;
  for (int f = 0; f < 12; ++f) {
    deepest = std::max(deepest, run.step().deepest_layer);
    EXPECT_EQ(run.passed(), 0) << "frame " << f;
  }
  EXPECT_GT(deepest, 1);
}

INSTANTIATE_TEST_SUITE_P(Layers, BothSpacings, testing::Values(LayerSpacing::resting, LayerSpacing::impact),
                         [](const auto& info) {
                           return info.param == LayerSpacing::resting ? "Resting" : "Impact";
                         });

/// Section 5: gentle contact takes fewer events where layers thin out as 1/l, a fast impact where they do as
/// l^-1/4, and reaches less deep a layer there.
TEST(Layers, LawsSuitTheirSpeeds) {
  std::int64_t events[2][2] = {};
  int deepest[2][2] = {};
  for (const bool fast : {false, true})
    for (const LayerSpacing spacing : {LayerSpacing::resting, LayerSpacing::impact}) {
      const Scene scene = laws_scene(spacing, fast);
      Simulation simulation(scene);
      for (int f = 0; f < 20; ++f) {
        const FrameReport r = simulation.advance();
        events[fast][int(spacing)] += r.steps.events;
        deepest[fast][int(spacing)] = std::max(deepest[fast][int(spacing)], r.steps.deepest_layer);
      }
    }
  EXPECT_LT(events[0][0], events[0][1]);
  EXPECT_LE(deepest[0][0], deepest[0][1]);
  EXPECT_GT(deepest[1][0], deepest[1][1]);
}

/// The impact of section 6 on a coarse mesh: after it the energy stays where it was.
TEST(Layers, SphereAgainstPlate) {
  const Scene scene = impact_scene(4, 4);
  Simulation simulation(scene);
  const double start = simulation.report().levels.total();
  double early = 0.0, late = 0.0;
  int deepest = 0;
  for (int f = 0; f < 60; ++f) {
    const FrameReport r = simulation.advance();
    deepest = std::max(deepest, r.steps.deepest_layer);
    EXPECT_LT(std::abs(r.levels.total() / start - 1.0), 0.01);
    if (f >= 20 && f < 40) early += r.levels.total() / 20;
    if (f >= 40) late += r.levels.total() / 20;
  }
  EXPECT_GT(deepest, 0);
  EXPECT_LT(std::abs(late - early), 0.001 * start);
}

/// The independent test sees what passes, and only that: a point that dips through a triangle and comes back
/// within a step, one that turns just before it, and edges that cross.
TEST(Layers, PassingIsSeen) {
  const auto still = [](const Vec3& p) {
    Way way;
    way.add(0.0, p), way.add(1.0, p);
    return way;
  };
  const auto dip = [](const Vec3& p, double depth) {
    Way way;
    way.add(0.0, p), way.add(0.41, Vec3(p - Vec3(0, depth, 0))), way.add(0.6, Vec3(p - Vec3(0.1, depth, 0)));
    way.add(1.0, p);
    return way;
  };
  const Way a = still({0, 0, 0}), b = still({1, 0, 0}), c = still({0, 0, 1});
  const Vec3 above(0.3, 0.5, 0.3);
  const Way through = dip(above, 0.501), short_of = dip(above, 0.499), beside = dip({0.9, 0.5, 0.9}, 0.7);
  EXPECT_TRUE(ways_touch({&through, &a, &b, &c}, false, 0.0, 1.0));
  EXPECT_FALSE(ways_touch({&short_of, &a, &b, &c}, false, 0.0, 1.0));
  EXPECT_FALSE(ways_touch({&beside, &a, &b, &c}, false, 0.0, 1.0));
  const Way d = dip({0.5, 0.5, -1}, 0.501), e = dip({0.5, 0.5, 1}, 0.501);
  const Way f = dip({0.5, 0.5, -1}, 0.499), g = dip({0.5, 0.5, 1}, 0.499);
  EXPECT_TRUE(ways_touch({&d, &e, &a, &b}, true, 0.0, 1.0));
  EXPECT_FALSE(ways_touch({&f, &g, &a, &b}, true, 0.0, 1.0));
  const auto floor = plane_shape(Vec3::UnitY(), 0.0);
  EXPECT_TRUE(way_touches(through, *floor, 0.0, 1.0));
  EXPECT_FALSE(way_touches(short_of, *floor, 0.0, 1.0));
}

}  // namespace
}  // namespace verve::test
