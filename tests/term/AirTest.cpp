// Drag and wind: forces, books, stability, and the same look at every step.
#include "term/Air.h"

#include <gtest/gtest.h>

#include <random>

#include "Scenes.h"
#include "Systems.h"
#include "base/Error.h"
#include "term/EndWeight.h"
#include "term/TermChecks.h"

namespace verve {
namespace {

using test::check_term;
using test::chords_from;
using test::stacked;

std::shared_ptr<AirSettings> air(double normal, double tangent, const Vec3& wind = Vec3::Zero()) {
  auto a = std::make_shared<AirSettings>();
  a->drag_normal = normal;
  a->drag_tangent = tangent;
  a->wind.velocity = wind;
  return a;
}

/// A sheet of springs in the xz plane, without gravity, moving as one.
Scene sheet(const std::shared_ptr<AirSettings>& a, const Vec3& velocity, int steps, double fps = 24) {
  Scene scene;
  scene.fps = fps;
  scene.substeps = steps;
  scene.gravity.setZero();
  Body body = make_cloth("sheet", make_sheet({1, 1}, {6, 6}), SpringModel::stvk, 300, 3, 0.2);
  set_in_motion(body, velocity, Vec3::Zero());
  body.v.shrink_to_fit();
  scene.bodies.push_back(body);
  scene.air = a;
  return scene;
}

/// A flag of 1 x 0.7 m on a pole along its side at x = 0.
Scene flag(int substeps, double speed = 6.0, double gust = 0.0) {
  Scene scene;
  scene.fps = 24;
  scene.substeps = substeps;
  Body body = make_cloth("flag", make_sheet({1.0, 0.7}, {10, 7}), SpringModel::stvk, 400, 4, 0.2);
  for (auto* points : {&body.rest, &body.x})
    for (Vec3& p : *points) p = Vec3(p[0] + 0.5, p[2], 0.02 * std::sin(5.0 * p[0]));
  PinSet pole;
  for (int i = 0; i < int(body.rest.size()); ++i)
    if (body.rest[std::size_t(i)][0] < 1e-6) pole.points.push_back(i);
  scene.pins.push_back(pole);
  scene.bodies.push_back(body);
  scene.air = air(1.2, 0.05, {speed, 0, 0.5});
  auto windy = std::make_shared<AirSettings>(*scene.air);
  windy->wind.gust = gust;
  scene.air = windy;
  scene.integrator.damping.delta = 0.005;
  return scene;
}

TEST(Air, DerivativesUnderEveryRule) {
  const TriangleMesh mesh = make_sheet({1, 1}, {2, 2});
  const Vector rest = stacked(mesh.points);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-0.1, 0.1);
  State state;
  state.x = rest;
  for (double& c : state.x) c += number(random);
  state.v = Vector::Zero(rest.size());
  for (double& c : state.v) c = 20.0 * number(random);
  Vector x = state.x + 0.1 * state.v;
  for (double& c : x) c += number(random);
  std::vector<AirTriangle> triangles;
  for (const auto& t : mesh.triangles) triangles.push_back({t, 1.5, 0.7, {0.3, 0.1, -0.2}, false});
  // From light in little air to light in water, whose drag looks at the step's end.
  for (double density : {1.2, 1000.0}) {
    AirSettings settings;
    settings.density = density;
    settings.drag_tangent = 0.4;
    settings.wind.velocity = {1, 2, 3};
    const auto term = make_air(settings, triangles, Vector::Constant(rest.size(), 0.02));
    TermMemory memory;
    term->begin(Drivers(), state, 0.1, memory);
    for (const Chord& chord : chords_from(state.x, 0.1)) check_term(*term, chord, x);
  }
}

// v' = -c |v| v with c = rho Cn / (2 m/A) has v0 / (1 + c v0 t), at any step and however strong the drag is.
TEST(Air, APlateSlowsAsItShould) {
  for (IntegratorType type :
       {IntegratorType::avf, IntegratorType::implicit_midpoint, IntegratorType::newmark})
    for (int steps : {1, 10})
      for (double normal : {1.2, 1e4}) {
        Scene scene = sheet(air(normal, 0.0), {0, 5, 0}, steps);
        scene.integrator.type = type;
        Simulation simulation(scene);
        for (int i = 0; i < 24; ++i) {
          const FrameReport r = simulation.advance();
          const double c = 1.2 * normal / (2.0 * 0.2), exact = 5.0 / (1.0 + c * 5.0 * r.time);
          const double speed = r.momentum.linear[1] / 0.2;
          // The rim's points have as much mass for their area as those inside, so all slow alike.
          EXPECT_NEAR(speed, exact, 1e-6 * exact + 1e-7) << int(type) << " " << steps << " " << r.time;
          EXPECT_LE(std::abs(r.ledger_error()), 1e-8);
        }
      }
}

TEST(Air, EveryIntegratorSlowsAPlateAndNoneTurnsItRound) {
  for (IntegratorType type : {IntegratorType::hp, IntegratorType::backward_euler, IntegratorType::bdf2,
                              IntegratorType::bathe, IntegratorType::symplectic_euler}) {
    Scene scene = sheet(air(1.2, 0.05), {0, 5, 0}, type == IntegratorType::symplectic_euler ? 20 : 8);
    scene.integrator.type = type;
    Simulation simulation(scene);
    double speed = 0.0;
    for (int i = 0; i < 12; ++i) speed = simulation.advance().momentum.linear[1] / 0.2;
    EXPECT_NEAR(speed, 5.0 / (1.0 + 3.6 * 5.0 * 0.5), 0.02) << int(type);  // backward Euler is of first order
  }
}

TEST(Air, DragIsStableHoweverStrong) {
  for (double strength : {1.0, 1e3, 1e6, 1e9}) {
    Scene scene = sheet(air(strength, strength, {3, 0, 1}), {0, 5, 0}, 1);
    scene.gravity = {0, -9.81, 0};
    Simulation simulation(scene);
    double most = 0.0;
    FrameReport r;
    for (int i = 0; i < 48; ++i) {
      r = simulation.advance();
      EXPECT_LE(std::abs(r.ledger_error()), 1e-8) << strength;
      most = std::max(most, point(simulation.state().v, 0).norm());
    }
    EXPECT_LT(most, 20.0) << strength;
    if (strength >= 1e6) {
      EXPECT_LT((r.momentum.linear / 0.2 - Vec3(3, 0, 1)).norm(), 0.1) << strength;
    }
  }
}

TEST(Air, WindBringsWorkAndTheBooksClose) {
  Scene scene = flag(1, 8.0, 2.0);
  scene.integrator.newton.tolerance = 1e-9;
  Simulation simulation(scene);
  FrameReport r;
  for (int i = 0; i < 48; ++i) {
    r = simulation.advance();
    EXPECT_LE(std::abs(r.ledger_error()), 1e-8);
  }
  EXPECT_GT(r.ledger.work, 0.1);
  EXPECT_GT(r.ledger.dissipated, 0.1);
}

/// The mean kinetic energy of a flapping flag over four seconds, from the second one on.
double flapping(int substeps, int seconds = 4) {
  Scene scene = flag(substeps);
  Simulation simulation(scene);
  double kinetic = 0.0;
  for (int i = 0; i < 24 + 24 * seconds; ++i) {
    const FrameReport r = simulation.advance();
    if (i >= 24) kinetic += r.levels.kinetic / (24.0 * seconds);
  }
  return kinetic;
}

// It flaps several times a second and never twice alike: means over four seconds scatter. Over twelve, 48
// steps a second were within 4 % of 240; 24 show a third less of the flapping.
TEST(Air, AFlagFlapsAlikeAt48And240Steps) {
  const double fine = flapping(10);
  EXPECT_NEAR(flapping(2), fine, 0.3 * fine);
}

// Steps that follow the motion, a few a frame, show the flapping of ten a frame. Means over twelve seconds
// scatter by some percent; one step a frame shows a quarter less.
TEST(Air, AFlagFlapsAsItShouldWithAutomaticSteps) {
  const double fine = flapping(10, 12);
  EXPECT_NEAR(flapping(0, 12), fine, 0.12 * fine);
}

TEST(Air, ASailInSteadyWindIsInTheSamePlaceAtEveryStep) {
  Vector first;
  for (int steps : {1, 10}) {
    Scene scene = sheet(air(1.2, 0.05, {0, 6, 0}), Vec3::Zero(), steps);
    PinSet rim;
    const Body& body = scene.bodies[0];
    for (int i = 0; i < int(body.rest.size()); ++i)
      if (std::abs(body.rest[std::size_t(i)][0]) > 0.49) rim.points.push_back(i);
    scene.pins.push_back(rim);
    scene.integrator.damping.delta = 0.3;
    Simulation simulation(scene);
    for (int i = 0; i < 96; ++i) simulation.advance();
    if (first.size() == 0) first = simulation.state().x;
    EXPECT_LT((simulation.state().x - first).lpNorm<Eigen::Infinity>(), 2e-3) << steps;
    EXPECT_GT(simulation.state().x.reshaped(3, first.size() / 3).row(1).maxCoeff(), 0.05);
  }
}

TEST(Air, ClosedBoxesFeelTheirOutside) {
  // A thin plate of tets slows as cloth of its mass does: half of the drag in front, half behind.
  Scene scene;
  scene.fps = 24;
  scene.gravity.setZero();
  Body body = make_soft_body("plate", make_box({1, 0.01, 1}, {3, 1, 3}), TetModel::stvk, {1e4, 1e4}, 20.0);
  set_in_motion(body, {0, 5, 0}, Vec3::Zero());
  scene.bodies.push_back(body);
  scene.air = air(1.2, 0.0);
  Simulation simulation(scene);
  double speed = 0.0;
  for (int i = 0; i < 12; ++i) speed = simulation.advance().momentum.linear[1] / 0.2;
  EXPECT_NEAR(speed, 5.0 / (1.0 + 3.6 * 5.0 * 0.5), 0.02);
}

TEST(Air, MultipliersAndWindOfPointsCount) {
  Scene scene = sheet(air(1.2, 0.05), Vec3::Zero(), 4);
  scene.bodies[0].wind.assign(scene.bodies[0].rest.size(), Vec3(0, 2, 0));
  scene.bodies[0].drag_normal.assign(scene.bodies[0].rest.size(), 50.0);
  Simulation simulation(scene);
  FrameReport r;
  for (int i = 0; i < 48; ++i) r = simulation.advance();
  EXPECT_NEAR(r.momentum.linear[1] / 0.2, 2.0, 0.02);
}

TEST(Air, GustsAreAFunctionOfPlaceAndTimeWithTheStrengthAskedFor) {
  Wind wind;
  wind.velocity = {4, 0, 0};
  wind.gust = 2.0;
  wind.size = 0.5;
  EXPECT_EQ(wind.at({1, 2, 3}, 0.7), wind.at({1, 2, 3}, 0.7));
  double square = 0.0;
  Vec3 mean = Vec3::Zero();
  int count = 0;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-50, 50);
  for (; count < 20000; ++count) {
    const Vec3 p(number(random), number(random), number(random));
    const Vec3 gust = wind.at(p, 10.0 + number(random) / 5) - wind.velocity;
    square += gust.squaredNorm();
    mean += gust;
  }
  EXPECT_NEAR(std::sqrt(square / count), 2.0, 0.05);
  EXPECT_LT((mean / count).norm(), 0.1);
  // Smooth: a small step in place or time is a small change.
  EXPECT_LT((wind.at({1, 2, 3}, 0.7) - wind.at({1.0001, 2, 3}, 0.7)).norm(), 0.01);
  EXPECT_LT((wind.at({1, 2, 3}, 0.7) - wind.at({1, 2, 3}, 0.70001)).norm(), 0.01);
  Wind other = wind;
  other.seed = 1;
  EXPECT_GT((wind.at({1, 2, 3}, 0.7) - other.at({1, 2, 3}, 0.7)).norm(), 0.01);
}

TEST(Air, WeightsLookWhereTheSolutionIs) {
  for (double a : {1e-8, 1e-3, 1.0, 1e3, 1e9}) {
    const double t = theta_of_drag(a), v = 1.0 - t * a / (1.0 + a);
    EXPECT_NEAR(a * v * v, a / (1.0 + a), 1e-7 * a / (1.0 + a)) << a;
    const double d = theta_of_damper(a);
    EXPECT_NEAR(a * (1.0 - d * -std::expm1(-a)), -std::expm1(-a), 1e-6 * std::min(1.0, a)) << a;
  }
}

TEST(Air, DoesNotGoBackwards) {
  Scene scene = sheet(air(1.2, 0.05), Vec3::Zero(), 1);
  scene.integrator.order = 4;
  EXPECT_THROW(Simulation simulation(scene), Error);
  scene.integrator.order = 2;
  scene.integrator.type = IntegratorType::asynchronous;
  EXPECT_THROW(Simulation simulation(scene), Error);
}

}  // namespace
}  // namespace verve
