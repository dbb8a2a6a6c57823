// Pins, targets and forces, and the work they do.
#include <gtest/gtest.h>

#include "Scenes.h"

namespace verve {
namespace {

/// A bar held at its left end.
Scene clamped_bar() {
  Scene scene = test::bar_scene(TetModel::stvk, 1.0, 0.0);
  scene.gravity = {0, -9.81, 0};
  PinSet grip;
  for (std::size_t i = 0; i < scene.bodies[0].rest.size(); ++i)
    if (scene.bodies[0].rest[i][0] < -0.99) grip.points.push_back(int(i));
  scene.pins.push_back(grip);
  return scene;
}

/// What the ledger may be off by: each step adds at most tolerance/1000 of the energy scale.
double ledger_bound(const Scene& scene, int steps) {
  return scene.integrator.newton.tolerance * (1e-3 * steps + 1);
}

double worst_ledger(Simulation& simulation, int frames) {
  double worst = 0;
  for (int i = 0; i < frames; ++i) worst = std::max(worst, std::abs(simulation.advance().ledger_error()));
  return worst;
}

TEST(Pins, StayWhereTheyAreAndTheEnergyStays) {
  const Scene scene = clamped_bar();
  Simulation simulation(scene);
  EXPECT_LE(worst_ledger(simulation, 60), ledger_bound(scene, 60));
  for (int i : scene.pins[0].points) EXPECT_EQ(Vec3(point(simulation.state().x, i)), scene.bodies[0].x[i]);
  EXPECT_EQ(simulation.state().ledger.work, 0.0);
}

TEST(Pins, MovingOnesDoTheWorkThatTheLedgerSays) {
  Scene scene = clamped_bar();
  Transform up, turned;
  up.translate = {0, 0.5, 0};
  turned.translate = {0, 0.5, 0.2};
  turned.rotate = {180, 0, 20};
  scene.pins[0].motion = Motion({{0.0, {}}, {0.5, up}, {1.0, turned}});
  Simulation simulation(scene);
  EXPECT_LE(worst_ledger(simulation, 60), ledger_bound(scene, 60));
  EXPECT_GT(simulation.state().ledger.work, 1.0);
  const int i = scene.pins[0].points[0];
  Vec3 centre = Vec3::Zero();
  for (int p : scene.pins[0].points) centre += scene.bodies[0].x[p] / double(scene.pins[0].points.size());
  const Vec3 expected = centre + turned.linear() * (scene.bodies[0].x[i] - centre) + turned.translate;
  EXPECT_LT((Vec3(point(simulation.state().x, i)) - expected).norm(), 1e-15);
}

TEST(Pins, EnterAndLeaveMidRun) {
  Scene scene = clamped_bar();
  scene.pins[0].from = 0.3;
  scene.pins[0].until = 0.8;
  Simulation simulation(scene);
  EXPECT_LE(worst_ledger(simulation, 60), ledger_bound(scene, 60));
  EXPECT_TRUE(simulation.state().held.empty());
  EXPECT_NE(simulation.state().ledger.work, 0.0) << "catching a falling bar and pulling it back is work";
}

TEST(Targets, PullAndTheLedgerCloses) {
  Scene scene = clamped_bar();
  TargetSet target;
  static_cast<PinSet&>(target) = scene.pins[0];
  target.stiffness = 50;
  Transform away;
  away.translate = {-0.3, 0.4, 0};
  target.motion = Motion({{0.0, {}}, {0.7, away}});
  scene.pins.clear();
  scene.targets.push_back(target);
  Simulation still(scene);
  EXPECT_LE(worst_ledger(still, 60), ledger_bound(scene, 60));
  EXPECT_EQ(still.state().ledger.dissipated, 0.0);

  scene.targets[0].damping = 2.0;
  scene.targets[0].from = 0.2;
  scene.targets[0].until = 1.5;
  Simulation damped(scene);
  double before = 0;
  for (int i = 0; i < 60; ++i) {
    const FrameReport r = damped.advance();
    EXPECT_LE(std::abs(r.ledger_error()), ledger_bound(scene, 60));
    EXPECT_GE(r.ledger.dissipated, before);
    before = r.ledger.dissipated;
  }
  EXPECT_GT(before, 0.01);
}

TEST(Targets, DerivativesMatchFiniteDifferences) {
  TargetEnergy energy;
  energy.begin_step({{0, {0, 0, 0}, 3, 0.5}, {1, {1, 0, 0}, 2, 0}},
                    {{0, {0.1, 0, 0}, 3, 0.5}, {1, {1, .2, 0}, 2, 0}}, 0.04);
  BlockMatrix hessian(std::make_shared<const BlockPattern>(make_block_pattern(2, {})));
  const Chord chord{Vector::LinSpaced(6, 0, 1), {{0.5, 0.3}, {1.0, 0.1}}, 0.2};
  const Vector x = Vector::LinSpaced(6, 0.3, -1);
  Vector gradient = Vector::Zero(6);
  energy.evaluate(chord, x, &gradient);
  energy.add_hessian(chord, x, 0.0, hessian);
  for (int i = 0; i < 6; ++i) {
    Vector a = x, b = x, ga = Vector::Zero(6), gb = ga;
    a[i] += 1e-5, b[i] -= 1e-5;
    EXPECT_NEAR((energy.evaluate(chord, a, &ga) - energy.evaluate(chord, b, &gb)) / 2e-5, gradient[i], 1e-8);
    const double diagonal = hessian.values[9 * std::size_t(hessian.pattern->diagonal[i / 3]) + 4 * (i % 3)];
    EXPECT_NEAR((ga[i] - gb[i]) / 2e-5, diagonal, 1e-8);
  }
}

TEST(Forces, DoTheWorkThatTheLedgerSays) {
  Scene scene = test::bar_scene(TetModel::stvk, 1.1, 0.0);
  Push push;
  push.force = {0.5, 1.0, 0};
  for (int i = 0; i < 40; ++i) push.points.push_back(i);
  scene.pushes.push_back(push);
  Simulation simulation(scene);
  EXPECT_LE(worst_ledger(simulation, 60), ledger_bound(scene, 60));
  // A steady total force gives the body momentum F t.
  const FrameReport r = simulation.report();
  EXPECT_LT((r.momentum.linear - push.force * simulation.state().time).norm(),
            1e-9 * r.momentum.linear.norm());
  EXPECT_GT(r.ledger.work, 0.1);
}

TEST(Gravity, FreeFallIsExactAtAnyStep) {
  Scene scene = test::bar_scene(TetModel::stvk, 1.0, 0.0);
  scene.gravity = {0, -9.81, 0};
  Simulation simulation(scene);
  for (int i = 0; i < 30; ++i) simulation.advance();
  const double t = simulation.state().time;
  for (std::size_t i = 0; i < scene.bodies[0].x.size(); ++i)
    EXPECT_NEAR(point(simulation.state().x, int(i))[1], scene.bodies[0].x[i][1] - 0.5 * 9.81 * t * t, 1e-8);
}

TEST(Motion, IsSmoothThroughItsKeysAndHeldOutside) {
  Transform a, b;
  a.translate = {1, 0, 0};
  b.translate = {3, 0, 0};
  const Motion motion({{0.0, {}}, {1.0, a}, {2.0, b}});
  EXPECT_EQ(motion.at(-1).translate[0], 0);
  EXPECT_EQ(motion.at(9).translate[0], 3);
  EXPECT_DOUBLE_EQ(motion.at(1).translate[0], 1);
  for (double t : {0.0, 1.0, 2.0}) {  // the slope does not jump
    const double d = 1e-6;
    const double left = (motion.at(t).translate[0] - motion.at(t - d).translate[0]) / d;
    const double right = (motion.at(t + d).translate[0] - motion.at(t).translate[0]) / d;
    EXPECT_NEAR(left, right, 1e-4) << t;
  }
}

}  // namespace
}  // namespace verve
