// Bodies without contact: energy without drift, momenta exact, and the books of pins and targets.
#include <gtest/gtest.h>

#include "Scenes.h"
#include "asynchronous/Asynchronous.h"
#include "base/Parallel.h"

namespace verve::test {
namespace {

Scene asynchronous(Scene scene, double safety = 0.2) {
  scene.integrator.type = IntegratorType::asynchronous;
  scene.integrator.safety = safety;
  return scene;
}

/// The largest drift of a run relative to its energy, over frames from..to.
double drift(Simulation& simulation, int frames) {
  double largest = 0.0;
  for (int f = 0; f < frames; ++f) largest = std::max(largest, std::abs(simulation.advance().ledger_error()));
  return largest;
}

/// Every material. With a step of 2 safety/w the energy of a swing of frequency w is off by up to (h w)^2/8
/// of it, at all times: the error is of second order and does not grow.
TEST(AsynchronousMotion, EnergyErrorIsOfSecondOrderAndDoesNotGrow) {
  for (const TetModel model :
       {TetModel::stvk, TetModel::neo_hookean, TetModel::stable_neo_hookean, TetModel::mooney_rivlin}) {
    const Scene scene = asynchronous(bar_scene(model, 1.2, 0.8, {10, 2, 1}), 0.2);
    Simulation simulation(scene);
    const double early = drift(simulation, 30);
    EXPECT_LT(early, 0.2 * 0.2 / 2);
    EXPECT_LT(drift(simulation, 300), 0.2 * 0.2 / 2) << int(model);
    const Scene finer_scene = asynchronous(bar_scene(model, 1.2, 0.8, {10, 2, 1}), 0.1);
    Simulation finer(finer_scene);
    EXPECT_LT(drift(finer, 30), early / 2.5) << int(model);  // 4 but for clocks that round to the grids
  }
}

TEST(AsynchronousMotion, MomentaAreExact) {
  Scene scene = asynchronous(bar_scene(TetModel::stvk, 1.3, 1.0, {10, 2, 1}));
  Body& body = scene.bodies[0];
  for (std::size_t i = 0; i < body.v.size(); ++i)
    body.v[i] = Vec3(0.3, -1, 0.2) + Vec3(1, 2, 0.5).cross(body.x[i]);
  Simulation simulation(scene);
  const Momenta before = simulation.report().momentum;
  for (int f = 0; f < 60; ++f) simulation.advance();
  const Momenta after = simulation.report().momentum;
  // Round-off of some 1e5 impulses a point.
  EXPECT_LT((after.linear - before.linear).norm(), 1e-11 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-11 * before.angular.norm());
}

/// A body that falls stays as it is, on a parabola, with its energy: loads are part of the flight.
TEST(AsynchronousMotion, FreeFallIsExact) {
  Scene scene = asynchronous(bar_scene(TetModel::stvk, 1.0, 0.0, {4, 1, 1}));
  scene.gravity = {1, -9.81, 2};
  for (Vec3& v : scene.bodies[0].v) v = {3, 4, 5};
  Simulation simulation(scene);
  const Vector start = simulation.state().x;
  FrameReport r;
  for (int f = 0; f < 60; ++f) r = simulation.advance();
  const double t = simulation.state().time;
  const Vec3 way = t * (Vec3(3, 4, 5) + 0.5 * t * scene.gravity);
  for (int i = 0; i < simulation.system().points(); ++i)
    EXPECT_LT((point(simulation.state().x, i) - point(start, i) - way).norm(), 1e-12 * way.norm());
  EXPECT_LT(std::abs(r.ledger_error()), 1e-12);
}

/// A sheet that hangs from pins that swing, in gravity, drawn to a target: all that goes in and out is
/// booked.
TEST(AsynchronousMotion, PinsTargetsAndForcesAreBooked) {
  Scene scene = asynchronous(sheet_scene(1.0, 1e-3, {8, 8}), 0.05);
  scene.gravity = {0, -9.81, 0};
  PinSet pin;
  for (int i = 0; i < 9; ++i) pin.points.push_back(i);
  Transform moved;
  moved.translate = {0.2, 0.3, 0};
  pin.motion = Motion({{0.0, {}}, {0.5, moved}, {1.0, {}}});
  scene.pins.push_back(pin);
  TargetSet target;
  target.points = {80};
  target.stiffness = 20.0;
  target.damping = 0.05;
  target.motion = pin.motion;
  scene.targets.push_back(target);
  scene.pushes.push_back({{40, 41}, {0.0, 0.0, 0.5}});
  Simulation simulation(scene);
  double largest = 0.0;
  for (int f = 0; f < 45; ++f) largest = std::max(largest, std::abs(simulation.advance().ledger_error()));
  const FrameReport end = simulation.report();
  EXPECT_GT(std::abs(end.ledger.work), 0.05);
  EXPECT_GT(end.ledger.dissipated, 0.0);
  EXPECT_LT(largest, 2e-3);  // (h w)^2/8, and a little for the damper, which is of first order
  for (int i : pin.points)
    EXPECT_EQ(Vec3(point(simulation.state().v, i)), Vec3::Zero());  // the keys have ended
}

TEST(AsynchronousMotion, AgreesWithAvf) {
  Scene scene = bar_scene(TetModel::stvk, 1.1, 0.3, {6, 1, 1});
  scene.fps = 1000.0;
  Scene other = asynchronous(scene, 0.1);
  Simulation avf(scene), own(other);
  for (int f = 0; f < 200; ++f) avf.advance(), own.advance();
  const Vector moved = avf.state().x - Simulation(scene).state().x;
  EXPECT_GT(moved.norm(), 0.1);
  EXPECT_LT((avf.state().x - own.state().x).norm(), 0.01 * moved.norm());
}

/// The same bits whatever the number of threads, and when going on from any frame.
TEST(AsynchronousMotion, RepeatsToTheBit) {
  const Scene scene = asynchronous(bar_scene(TetModel::stvk, 1.3, 1.0, {10, 2, 1}));
  Simulation one(scene);
  State middle;
  for (int f = 0; f < 20; ++f) {
    if (f == 11) middle = one.state();
    one.advance();
  }
  const ThreadLimit limit(1);
  Simulation other(scene), resumed(scene);
  for (int f = 0; f < 20; ++f) other.advance();
  resumed.restore(scene.first_frame + 11, middle);
  for (int f = 11; f < 20; ++f) resumed.advance();
  for (const Simulation* s : {&other, &resumed}) {
    EXPECT_EQ(s->state().x, one.state().x);
    EXPECT_EQ(s->state().v, one.state().v);
  }
}

/// Groups so large that threads share their ticks, with pins in them.
TEST(AsynchronousMotion, ThreadsDoNotChangeABit) {
  Scene scene = asynchronous(bar_scene(TetModel::stvk, 1.2, 0.7, {24, 8, 8}));
  PinSet pin;
  for (int i = 0; i < 81; ++i) pin.points.push_back(25 * i);
  scene.pins.push_back(pin);
  State end[2];
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    Simulation simulation(scene);
    for (int f = 0; f < 2; ++f) simulation.advance();
    end[threads - 1] = simulation.state();
  }
  EXPECT_EQ(end[0].x, end[1].x);
  EXPECT_EQ(end[0].v, end[1].v);
  EXPECT_EQ(end[0].ledger.work, end[1].ledger.work);
}

TEST(AsynchronousMotion, SplitDampingTakesEnergyOut) {
  Scene scene = asynchronous(bar_scene(TetModel::stvk, 1.2, 0.5, {6, 1, 1}));
  scene.integrator.damping.delta = 0.01;
  Simulation simulation(scene);
  const double start = simulation.report().levels.total();
  FrameReport last;
  for (int f = 0; f < 60; ++f) last = simulation.advance();
  EXPECT_LT(last.levels.total(), 0.7 * start);
  EXPECT_LT(std::abs(last.ledger_error()), 0.02);
}

TEST(AsynchronousMotion, EventBudgetEndsInASentence) {
  Scene scene = asynchronous(bar_scene());
  scene.integrator.max_events = 1000;
  Simulation simulation(scene);
  const Vector before = simulation.state().x;
  try {
    simulation.advance();
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("integrator.max_events"), std::string::npos);
  }
  EXPECT_EQ(simulation.state().x, before);
}

TEST(AsynchronousMotion, CancelsWithinAStep) {
  Scene scene = asynchronous(bar_scene());
  scene.fps = 1e-2;  // a very long frame
  Simulation simulation(scene);
  std::atomic<bool> cancel{false};
  simulation.watch(&cancel);
  double shown = 0.0;
  simulation.show([&](double time) {
    EXPECT_GE(time, shown);
    shown = time;
    if (time > 1.0) cancel = true;
  });
  EXPECT_THROW(simulation.advance(), Cancelled);
  EXPECT_GT(shown, 1.0);
  EXPECT_LT(shown, 50.0);
  EXPECT_EQ(simulation.frame(), scene.first_frame);
}

TEST(AsynchronousMotion, RefusesWhatCannotBeStable) {
  for (const double safety : {0.0, 1.0, 3.0, -1.0, double(NAN)}) {
    const Scene scene = asynchronous(bar_scene(), safety);
    EXPECT_THROW(Simulation{scene}, Error) << safety;
  }
}

}  // namespace
}  // namespace verve::test
