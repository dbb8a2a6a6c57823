#include "constraint/Constraint.h"

#include <gtest/gtest.h>

#include "Systems.h"
#include "base/Error.h"
#include "scheme/MakeIntegrator.h"

namespace verve {
namespace {

using test::Case;
using Kind = Constraint::Kind;

/// Free points under gravity, bound by nothing but constraints.
Case particles(const std::vector<Vec3>& points, const std::vector<Constraint>& constraints,
               const Vec3& gravity = {0, -9.81, 0}) {
  Case c;
  c.rest = c.state.x = test::stacked(points);
  c.system.mass = Vector::Ones(c.rest.size());
  c.system.gravity = gravity;
  c.system.constraints = ConstraintSet(constraints, c.state.x);
  test::finish(c);
  return c;
}

Constraint rod(int i, int j, double length) {
  return {Kind::distance, {i, j}, {}, {}, {}, length};
}
Constraint rod_to(int i, const Vec3& place, double length) {
  return {Kind::distance_place, {i}, {}, place, {}, length};
}

IntegratorSettings with(IntegratorType type, double alpha = 0.5) {
  IntegratorSettings settings;
  settings.type = type;
  settings.alpha = alpha;
  settings.newton.tolerance = 1e-11;
  return settings;
}

double gap(const Case& c) {
  Vector values;
  c.system.constraints.evaluate(c.state.x, values);
  return values.cwiseAbs().maxCoeff();
}

/// The energy that a pendulum of 1 m and 1 kg, let go at the side, can swing with: m g l.
constexpr double swing_energy = 9.81;

Case pendulum() {
  return particles({{1, 0, 0}}, {rod_to(0, Vec3::Zero(), 1.0)});
}

struct Scheme {
  IntegratorType type;
  double alpha, h;
  double bound;  ///< on the energy's error, as a share of the swing
};

class Pendulum : public testing::TestWithParam<Scheme> {};

// 2.36 s a swing from the side: 200 swings at 30 or 100 steps a second.
TEST_P(Pendulum, SwingsWithoutDrift) {
  const Scheme scheme = GetParam();
  Case c = pendulum();
  const auto integrator = make_integrator(c.system, with(scheme.type, scheme.alpha));
  double worst_gap = 0.0, worst_early = 0.0, worst_late = 0.0;
  const int steps = int(200 * 2.36 / scheme.h);
  for (int i = 0; i < steps; ++i) {
    ASSERT_TRUE(test::run(c, *integrator, 1, scheme.h)) << i;
    worst_gap = std::max(worst_gap, gap(c));
    double& worst = i < steps / 2 ? worst_early : worst_late;
    worst = std::max(worst, std::abs(c.total()) / swing_energy);
  }
  EXPECT_LT(worst_gap, 1e-10);
  EXPECT_LT(worst_early, scheme.bound);
  EXPECT_LT(worst_late, 1.1 * worst_early + 1e-11);
}

// AVF keeps the energy to the tolerance; the symplectic ones swing with the step's size (order 2 or 1) about
// it.
INSTANTIATE_TEST_SUITE_P(Schemes, Pendulum,
                         testing::Values(Scheme{IntegratorType::avf, 0, 1.0 / 30, 1e-9},
                                         Scheme{IntegratorType::hp, 0.5, 1.0 / 100, 0.01},
                                         Scheme{IntegratorType::hp, 0.0, 1.0 / 100, 0.1},
                                         Scheme{IntegratorType::hp, 1.0, 1.0 / 100, 0.1}));

TEST(Constraint, ForceOfARestingPendulumIsItsWeight) {
  for (IntegratorType type : {IntegratorType::avf, IntegratorType::hp, IntegratorType::backward_euler}) {
    Case c = particles({{0, -1, 0}}, {rod_to(0, Vec3::Zero(), 1.0)});
    const auto integrator = make_integrator(c.system, with(type));
    ASSERT_TRUE(test::run(c, *integrator, 3, 0.01));
    EXPECT_NEAR(c.state.constraint_force[0], -9.81, 1e-8);
  }
}

TEST(Constraint, ChainKeepsItsLengthsAndEnergy) {
  std::vector<Vec3> points;
  std::vector<Constraint> constraints = {rod_to(0, Vec3::Zero(), 0.2)};
  for (int i = 0; i < 8; ++i) {
    points.push_back({0.2 * (i + 1), 0, 0});
    if (i > 0) constraints.push_back(rod(i - 1, i, 0.2));
  }
  Case c = particles(points, constraints);
  const auto integrator = make_integrator(c.system, with(IntegratorType::avf));
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(test::run(c, *integrator, 1, 1.0 / 240)) << i;
    ASSERT_LT(gap(c), 1e-10);
  }
  EXPECT_LT(std::abs(c.total()), 1e-8 * 8 * 9.81);
}

TEST(Constraint, PlanesLinesAndWeldsHold) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0.5, 0}};
  const Vec3 n = Vec3(1, 2, 3).normalized();
  Case c = particles(points, {{Kind::plane, {0}, {}, Vec3::Zero(), n, 0},
                              {Kind::line, {1}, {}, Vec3(1, 0, 0), Vec3(1, -1, 0), 0},
                              {Kind::weld, {3, 1, 2}, {0.5, 0.5}, {}, {}, 0}});
  const auto integrator = make_integrator(c.system, with(IntegratorType::avf));
  ASSERT_TRUE(test::run(c, *integrator, 60, 1.0 / 60));
  EXPECT_NEAR(n.dot(Vec3(point(c.state.x, 0))), 0.0, 1e-10);
  const Vec3 slid = Vec3(point(c.state.x, 1)) - Vec3(1, 0, 0);
  EXPECT_NEAR(slid.cross(Vec3(1, -1, 0)).norm(), 0.0, 1e-10);
  EXPECT_GT(slid.norm(), 1.0);
  EXPECT_LT((point(c.state.x, 3) - 0.5 * (point(c.state.x, 1) + point(c.state.x, 2))).norm(), 1e-10);
  EXPECT_LT(std::abs(c.state.ledger.error(c.total())), 1e-9);
}

TEST(Constraint, RigidClustersKeepTheirShapeFlatOrNot) {
  for (double thickness : {0.0, 0.3}) {
    const std::vector<Vec3> points = {
        {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, thickness}, {0.3, 0.2, -thickness}};
    Case c = particles(points, {{Kind::rigid, {0, 1, 2, 3, 4}, {}, {}, {}, 0}}, Vec3::Zero());
    const Vec3 w(1, 2, 0.5);
    for (int i = 0; i < 5; ++i) point(c.state.v, i) = w.cross(points[i]);
    test::reopen(c);
    const auto integrator = make_integrator(c.system, with(IntegratorType::avf));
    ASSERT_TRUE(test::run(c, *integrator, 100, 1.0 / 60));
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < i; ++j)
        EXPECT_NEAR((point(c.state.x, i) - point(c.state.x, j)).norm(), (points[i] - points[j]).norm(), 1e-9);
    EXPECT_NEAR(c.total(), c.state.ledger.start_total, 1e-8 * c.state.ledger.start_total);
  }
}

TEST(Constraint, RedundantOnesShareTheLoad) {
  Case one = pendulum();
  Case two = particles({{1, 0, 0}}, {rod_to(0, Vec3::Zero(), 1.0), rod_to(0, Vec3::Zero(), 1.0)});
  for (Case* c : {&one, &two}) {
    const auto integrator = make_integrator(c->system, with(IntegratorType::avf));
    ASSERT_TRUE(test::run(*c, *integrator, 50, 1.0 / 60));
  }
  EXPECT_LT((one.state.x - two.state.x).norm(), 1e-9);
  EXPECT_NEAR(two.state.constraint_force.sum(), one.state.constraint_force[0], 1e-7);
  EXPECT_NEAR(two.state.constraint_force[0], two.state.constraint_force[1], 1e-7);
}

TEST(Constraint, SoftBarHungByAWeldKeepsItsEnergy) {
  Case c = test::make_bar(4000, 1000, {1, .25, .25}, {4, 1, 1});
  c.system.gravity = {0, -9.81, 0};
  const int corner = 0;
  c.system.constraints = ConstraintSet(
      {{Kind::distance_place, {corner}, {}, Vec3(point(c.state.x, corner)) + Vec3(0, 0.5, 0), {}, 0.5},
       {Kind::rigid, {1, 2, 3}, {}, {}, {}, 0}},
      c.state.x);
  c.system.finish();
  test::reopen(c);
  for (IntegratorType type : {IntegratorType::avf, IntegratorType::hp}) {
    const State start = c.state;
    const auto integrator = make_integrator(c.system, with(type));
    ASSERT_TRUE(test::run(c, *integrator, 60, 1.0 / 120));
    EXPECT_LT(gap(c), 1e-10);
    if (type == IntegratorType::avf) {
      EXPECT_LT(std::abs(c.state.ledger.error(c.total())), 1e-8);
    }
    c.state = start;
  }
}

TEST(Constraint, DampingLeavesThemAlone) {
  Case c = test::make_bar(400, 100, {1, .25, .25}, {4, 1, 1});
  c.system.gravity = {0, -9.81, 0};
  c.system.constraints =
      ConstraintSet({rod_to(0, Vec3(point(c.state.x, 0)) + Vec3(0, 0.5, 0), 0.5)}, c.state.x);
  c.system.finish();
  test::reopen(c);
  IntegratorSettings settings = with(IntegratorType::avf);
  settings.damping.delta = 0.01;
  const auto integrator = make_integrator(c.system, settings);
  ASSERT_TRUE(test::run(c, *integrator, 60, 1.0 / 60));
  EXPECT_LT(gap(c), 1e-10);
  EXPECT_LT(std::abs(c.state.ledger.error(c.total())), 1e-8);
  EXPECT_GT(c.state.ledger.dissipated, 0.0);
}

TEST(Constraint, BadOnesAreRefusedWithASentence) {
  const Vector x = test::stacked({{0, 0, 0}, {1, 0, 0}});
  const auto refused = [&](const std::vector<Constraint>& list) {
    EXPECT_THROW(ConstraintSet(list, x), Error);
  };
  refused({rod(0, 2, 1.0)});                  // no such point
  refused({rod(0, 0, 1.0)});                  // twice the same
  refused({rod(0, 1, 2.0)});                  // does not hold
  refused({rod(0, 1, 1.0), rod(1, 0, 1.1)});  // contradict each other
  refused({rod(0, 1, -1.0)});
  refused({rod(0, 1, NAN)});
  refused({{Kind::plane, {0}, {}, Vec3::Zero(), Vec3::Zero(), 0}});
  refused({{Kind::weld, {0, 1}, {0.5}, {}, {}, 0}});
  refused({{Kind::distance, {0}, {}, {}, {}, 1.0}});

  Case c = particles({{0, 0, 0}, {1, 0, 0}}, {rod(0, 1, 1.0)});
  const auto integrator = make_integrator(c.system, with(IntegratorType::avf));
  const test::FixedPins pins({{0, Vec3(0, 0, 0)}, {1, Vec3(1, 0, 0)}});
  EXPECT_THROW(integrator->step(pins, c.state, 0.01), Error);
}

/// A bar whose lower side slides in a plane and one of whose edges slides along it, seen with the world
/// turned.
Case sliding_bar(const Mat3& turn) {
  Case c = test::make_bar(400, 100, {2, .25, .25}, {4, 1, 1});
  std::vector<Constraint> constraints;
  for (int i = 0; i < c.system.points(); ++i) {
    const Vec3 p = point(c.state.x, i);
    if (p[1] > 0) continue;
    constraints.push_back({p[2] < 0 ? Kind::line : Kind::plane,
                           {i},
                           {},
                           turn * p,
                           turn * (p[2] < 0 ? Vec3::UnitX() : Vec3::UnitY()),
                           0.0});
  }
  for (int i = 0; i < c.system.points(); ++i) {
    const Vec3 p = point(c.state.x, i);
    point(c.state.x, i) = turn * p;
    point(c.state.v, i) =
        turn * Vec3(p[1] > 0 ? 0.3 * p[0] : 0.0, p[1] > 0 ? 0.2 : 0.0, p[1] > 0 ? -0.1 : 0.0);
  }
  c.system.gravity = turn * Vec3(0.5, -9.81, 0);
  c.system.constraints = ConstraintSet(constraints, c.state.x);
  c.system.finish();
  test::reopen(c);
  return c;
}

TEST(Constraint, PlanesAlongTheAxesAreWhatTurnedOnesAre) {
  // Along the axes they take coordinates out of the unknowns; turned they are rows of a system of their own.
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Drivers drivers{};
  for (IntegratorType type : {IntegratorType::avf, IntegratorType::hp}) {
    Case a = sliding_bar(Mat3::Identity()), b = sliding_bar(turn);
    ASSERT_GE(a.system.constraints.fixed(0).dof, 0);
    ASSERT_LT(b.system.constraints.fixed(0).dof, 0);
    const auto one = make_integrator(a.system, with(type)), other = make_integrator(b.system, with(type));
    for (int k = 0; k < 20; ++k) {
      ASSERT_TRUE(one->step(drivers, a.state, 0.02).solved);
      ASSERT_TRUE(other->step(drivers, b.state, 0.02).solved);
    }
    for (int i = 0; i < a.system.points(); ++i) {
      EXPECT_LT((turn * Vec3(point(a.state.x, i)) - Vec3(point(b.state.x, i))).norm(), 1e-8);
      EXPECT_LT((turn * Vec3(point(a.state.v, i)) - Vec3(point(b.state.v, i))).norm(), 1e-6);
    }
    EXPECT_LT(gap(a), 1e-14);
    EXPECT_NEAR(a.state.constraint_force.norm(), b.state.constraint_force.norm(),
                1e-5 * b.state.constraint_force.norm());
  }
}

}  // namespace
}  // namespace verve
