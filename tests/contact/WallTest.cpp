// The wall behind the spring: its law, its books, and that nothing passes it.
#include <gtest/gtest.h>

#include "ContactScenes.h"
#include "mesh/ImplicitShapes.h"

namespace verve::test {
namespace {

// Central differences with steps of 1e-6 of b, on functions whose third derivative is at most some 1e2 of the
// second over b, are good to 1e-9 and their round-off to 1e-8 where values are 100 times what they change by.
TEST(Wall, PathPotentialClosesTheEnergyBalanceAndHasItsDerivatives) {
  const double k = 3.0, reach = 0.01;
  for (double a : {1e-6, 1e-4, .004, .0099, .01, .0101, .05, 3.0})
    for (double b : {2e-6, 3e-4, .005, .0097, .0102, .3}) {
      SCOPED_TRACE(testing::Message() << "a " << a << " b " << b);
      const double d = 1e-6 * b;
      const auto at = [&](double x) { return wall_path(k, reach, a, x); };
      const PathPotential p = at(b), up = at(b + d), down = at(b - d);
      const double size = std::abs(p.slope) + std::abs(p.curvature) * b;
      const double change = wall(k, reach, b).value - wall(k, reach, a).value;
      EXPECT_NEAR(p.slope * (b - a), change, 1e-12 * (std::abs(change) + size * std::abs(b - a)));
      EXPECT_NEAR((up.value - down.value) / (2 * d), p.slope, 1e-6 * size + 1e-9 * std::abs(p.value) / b);
      EXPECT_NEAR((up.slope - down.slope) / (2 * d), p.curvature, 1e-6 * size / b);
      EXPECT_GE(p.curvature, 0.0);
      EXPECT_LE(p.slope, 0.0);
    }
  EXPECT_EQ(wall_path(k, reach, .3, .3).value, 0.0);
}

/// The distance of a point of a body to what it may not pass: less than 0 behind it.
using Signed = std::function<double(const Vec3&)>;

struct Obstacle {
  const char* name;
  std::function<ColliderSpec()> make;
  Signed distance;
};

ColliderSpec mesh_collider(const char* name, TriangleMesh mesh) {
  ColliderSpec spec;
  spec.name = name;
  spec.mesh = std::make_shared<const TriangleMesh>(std::move(mesh));
  spec.stiffness = 2000;
  return spec;
}

const Obstacle obstacles[] = {
    {"plane",
     [] {
       return collider("plane", plane_shape({0, 1, 0}, 0), 2000);
     },
     [](const Vec3& p) { return p.y(); }},
    {"wall of 2 cm",
     [] {
       return collider("wall", box_shape({4, .02, 4}), 2000);
     },
     [](const Vec3& p) { return p.y() - .01; }},
    {"sphere",
     [] {
       return collider("sphere", sphere_shape({0, -.8, 0}, .8), 2000);
     },
     [](const Vec3& p) { return (p - Vec3(0, -.8, 0)).norm() - .8; }},
    {"sheet",
     [] {
       return mesh_collider("sheet", make_sheet({6, 6}, {5, 5}));
     },
     [](const Vec3& p) { return p.y(); }},
    {"closed mesh",
     [] {
       TriangleMesh plate = box_shape({4, .02, 4})->corners();
       return mesh_collider("plate", plate);
     },
     [](const Vec3& p) {
       return box_shape({4, .02, 4})->distance(p, 1e9).value;
     }},
    {"capsule",
     [] {
       return collider("capsule", capsule_shape({-3, -.4, 0}, {3, -.4, 0}, .4), 2000);
     },
     [](const Vec3& p) {
       return capsule_shape({-3, -.4, 0}, {3, -.4, 0}, .4)->distance(p, 1e9).value;
     }},
    {"bowl",
     [] {
       return collider("bowl", sphere_shape({0, 4, 0}, 4, true), 2000);
     },
     [](const Vec3& p) { return 4 - (p - Vec3(0, 4, 0)).norm(); }},
    {"ring",
     [] {
       ColliderSpec ring = collider("ring", torus_shape(.8, .4), 2000);
       ring.pose = [](double) { return Eigen::Isometry3d(Eigen::Translation3d(.8, -.4, 0)); };
       return ring;
     },
     [](const Vec3& p) { return torus_shape(.8, .4)->distance(p - Vec3(.8, -.4, 0), 1e9).value; }},
    {"rising mesh",
     [] {
       ColliderSpec spec = mesh_collider("rising", make_sheet({6, 6}, {5, 5}));
       const std::vector<Vec3> rest = spec.mesh->points;
       spec.deform = [rest](double time, std::vector<Vec3>& points) {
         points = rest;
         for (Vec3& p : points) p.y() += time * (2.0 + .3 * p.x());
       };
       return spec;
     },
     nullptr},
};

struct Outcome {
  double worst = 0.0;  ///< ledger error
  double least = 1e9;  ///< distance
  bool solved = true;
  double up = 0.0;
};

Outcome thrown(const Obstacle& obstacle, double speed, int steps, IntegratorType type = IntegratorType::avf) {
  ContactScene scene;
  scene.system.gravity = {0, -9.81, 0};
  scene.add(make_box({.3, .3, .3}, {2, 2, 2}), {TetModel::stvk, 4e4, 2e4, 1}, {.02, .5, .03},
            {.2, -speed, .1});
  ColliderSpec spec = obstacle.make();
  scene.settings.type = type;
  scene.contact.colliders = {spec};
  scene.contact.settings.wall = true;
  scene.contact.settings.wall_reach = .003;
  scene.settings.newton.tolerance = 1e-9;
  scene.h = 1.0 / 30.0;
  scene.begin();
  Outcome out;
  for (int i = 0; i < steps && out.solved; ++i) {
    out.solved = scene.step();
    out.worst = std::max(out.worst, std::abs(scene.ledger_error()));
    for (int p = 0; p < scene.system.points(); ++p) {
      const Vec3 at = point(scene.state.x, p);
      const double t = scene.state.time;
      out.least =
          std::min(out.least, obstacle.distance ? obstacle.distance(at) : at.y() - t * (2 + .3 * at.x()));
    }
  }
  out.up = momenta(scene.system, scene.state.x, scene.state.v).linear.y();
  return out;
}

TEST(Wall, HoldsAtAnySpeedAndKeepsTheBooks) {
  for (const Obstacle& o : obstacles)
    for (double speed : {1.0, 10.0, 30.0, 60.0, 100.0}) {
      SCOPED_TRACE(testing::Message() << o.name << " at " << speed << " m/s");
      const Outcome out = thrown(o, speed, 12);
      ASSERT_TRUE(out.solved);
      EXPECT_GT(out.least, 0.0);
      EXPECT_LT(out.worst, 1e-8);
      // In the bowl it comes back more than once.
      EXPECT_TRUE(out.up > -1.0 || std::string(o.name) == "bowl") << out.up;
    }
}

TEST(Wall, HoldsUnderEveryImplicitIntegrator) {
  using T = IntegratorType;
  for (T type : {T::hp, T::backward_euler, T::implicit_midpoint, T::newmark, T::bdf2, T::bathe})
    for (double speed : {3.0, 60.0})
      for (int o : {0, 1, 3}) {
        SCOPED_TRACE(testing::Message()
                     << "integrator " << int(type) << ", " << obstacles[o].name << " at " << speed);
        const Outcome out = thrown(obstacles[o], speed, 12, type);
        EXPECT_TRUE(out.solved);
        EXPECT_GT(out.least, 0.0);
      }
}

/// A cube that falls into a scene with walls, undamped.
ContactScene walled(std::vector<ColliderSpec> colliders, double friction = 0.0) {
  ContactScene scene = cube_scene({TetModel::stvk, 2000, 1000, 1});
  for (ColliderSpec& c : colliders) c.static_friction = c.dynamic_friction = friction;
  scene.contact.colliders = std::move(colliders);
  scene.contact.settings.wall = true;
  scene.contact.settings.wall_reach = .0025;
  return scene;
}

TEST(Wall, UndampedFallKeepsItsEnergyForTwoThousandSteps) {
  const auto bowl = [] { return collider("bowl", sphere_shape({0, 1.5, 0}, 1.5, true), 2000); };
  const auto plane = [](double thickness) {
    ColliderSpec spec = collider("plane", plane_shape({0, 1, 0}, 0), 2000);
    spec.thickness = thickness;
    return spec;
  };
  const auto cup = [] {
    TriangleMesh sheet = make_sheet({4, 4}, {8, 8});
    for (Vec3& p : sheet.points) p.y() = 0.2 * (p.x() * p.x() + p.z() * p.z());
    return mesh_collider("cup", sheet);
  };
  const struct {
    const char* name;
    std::vector<ColliderSpec> colliders;
  } cases[] = {
      {"plane", {plane(0)}}, {"plane with thickness", {plane(.03)}}, {"bowl", {bowl()}}, {"cup", {cup()}}};
  for (const auto& c : cases) {
    ContactScene scene = walled(c.colliders);
    scene.begin();
    double worst = 0.0, deepest = 0.0;
    const int all = c.colliders[0].mesh || c.colliders[0].name == "bowl" ? 500 : 2000;
    int steps = 0;
    for (; steps < all; ++steps) {
      if (!scene.step()) break;
      worst = std::max(worst, std::abs(scene.ledger_error()));
      deepest = std::max(deepest, scene.state.contact.penetration);
    }
    EXPECT_EQ(steps, all) << c.name;
    EXPECT_LT(worst, 1e-8) << c.name;
    EXPECT_LE(deepest, 0.0) << c.name;
    EXPECT_NEAR(scene.state.ledger.booked, 0.0, 1e-3 * scene.state.ledger.largest) << c.name;
  }
}

TEST(Wall, BooksCloseUnderAPlateThatHitsTiltsAndRubs) {
  for (bool box : {false, true})
    for (double thickness : {0.0, .02}) {
      ColliderSpec plate = collider("plate", box ? box_shape({4, 1, 4}) : plane_shape({0, 1, 0}, 0), 2e3);
      plate.thickness = thickness;
      const double top = box ? .5 : 0.0;
      plate.pose = [top](double t) {
        Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
        pose.translation() = Vec3(.1 * std::sin(5 * t), .15 * std::sin(9 * t) - top, 0);
        pose.linear() = Eigen::AngleAxisd(.1 * std::sin(7 * t), Vec3::UnitZ()).toRotationMatrix();
        return pose;
      };
      ContactScene scene = walled({plate}, .3);
      scene.begin();
      double worst = 0.0;
      for (int i = 0; i < 300; ++i) {
        ASSERT_TRUE(scene.step()) << i;
        worst = std::max(worst, std::abs(scene.ledger_error()));
        EXPECT_LE(scene.state.contact.penetration, 0.0) << i;
      }
      EXPECT_LT(worst, 1e-8) << (box ? "box " : "plane ") << thickness;
      EXPECT_GT(std::abs(scene.state.ledger.work), 0.1);
      EXPECT_GT(scene.state.ledger.dissipated, 0.0);
    }
}

// On a slope of 30 degrees a block with friction mu slides with g (sin - mu cos), or stays for mu above
// tan 30.
TEST(Wall, FrictionOnASlope) {
  for (double friction : {.2, .7}) {
    const double angle = M_PI / 6;
    const Vec3 normal(std::sin(angle), std::cos(angle), 0), down(std::cos(angle), -std::sin(angle), 0);
    ContactScene scene;
    TetMesh block = make_box({.2, .1, .2}, {2, 1, 2});
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(-angle, Vec3::UnitZ()).toRotationMatrix();
    for (Vec3& p : block.points) p = turn * p;
    scene.add(block, {TetModel::stvk, 4e4, 2e4, 1}, .0524 * normal);
    ColliderSpec slope = collider("slope", plane_shape(normal, 0), 2000);
    slope.static_friction = slope.dynamic_friction = friction;
    scene.contact.colliders = {slope};
    scene.contact.settings.wall = true;
    scene.contact.settings.wall_reach = .002;
    scene.settings.damping.delta = .01;
    scene.settings.newton.tolerance = 1e-9;
    scene.begin();
    const double expected = std::max(0.0, 9.81 * (std::sin(angle) - friction * std::cos(angle)));
    double before = 0.0;
    for (int i = 0; i < 60; ++i) {
      ASSERT_TRUE(scene.step()) << i;
      if (i == 19) before = momenta(scene.system, scene.state.x, scene.state.v).linear.dot(down);
    }
    const double speed = momenta(scene.system, scene.state.x, scene.state.v).linear.dot(down);
    const double measured = (speed - before) / (40 * scene.h);
    EXPECT_NEAR(measured, expected, .01 * 9.81);
    EXPECT_LT(std::abs(scene.ledger_error()), 1e-8);
  }
}

// Whichever way an open sheet faces: a gap above the distance would let the points through, and a signed one
// would keep those behind it from going anywhere.
TEST(Wall, HoldsWhatBeginsWithinItsReachOnEitherSideOfASheet) {
  for (double side : {1.0, -1.0}) {
    ContactScene scene;
    scene.system.gravity.setZero();
    scene.add(make_box({.3, .3, .3}, {2, 2, 2}), {TetModel::stvk, 4e4, 2e4, 1}, {.02, side * .151, .03},
              {.2, -side * .5, .1});
    scene.contact.colliders = {mesh_collider("sheet", make_sheet({6, 6}, {5, 5}))};
    scene.contact.settings.wall = true;
    scene.contact.settings.wall_reach = .003;
    scene.settings.newton.tolerance = 1e-9;
    scene.begin();
    for (int i = 0; i < 30; ++i) {
      ASSERT_TRUE(scene.step()) << side << " " << i;
      for (int p = 0; p < scene.system.points(); ++p) ASSERT_GT(side * point(scene.state.x, p).y(), 0.0) << i;
    }
    EXPECT_LT(std::abs(scene.ledger_error()), 1e-8);
  }
}

// Above an open rim a point is on no side of the sheet; where it comes down, the face that it sees is the one
// that it is in front of. The wrong one would take it for deep behind the sheet.
TEST(Wall, PointsThatComeDownBesideAnOpenTipTouchNothing) {
  for (bool flipped : {false, true}) {
    constexpr int around = 8;
    TriangleMesh cone;
    for (double radius : {.002, .1})
      for (int i = 0; i < around; ++i) {
        const double angle = 2.0 * M_PI * i / around;
        cone.points.push_back({radius * std::cos(angle), radius == .1 ? -.6 : 0.0, radius * std::sin(angle)});
      }
    for (int i = 0; i < around; ++i) {
      const int a = i, b = (i + 1) % around, c = b + around, d = a + around;
      for (std::array<int, 3> t : {std::array<int, 3>{a, b, c}, {a, c, d}}) {
        if (flipped) std::swap(t[1], t[2]);
        cone.triangles.push_back(t);
      }
    }
    ContactScene scene;
    scene.system.gravity.setZero();
    scene.add(make_box({.05, .05, .05}, {1, 1, 1}), {TetModel::stvk, 4e4, 2e4, 1}, {0, .15, 0}, {2, -2, 0});
    ColliderSpec spike = mesh_collider("spike", cone);
    spike.thickness = .004;
    scene.contact.colliders = {spike};
    scene.contact.settings.wall = true;
    scene.begin();
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(scene.step());
    EXPECT_EQ(scene.state.contact.energy, 0.0) << flipped;
    EXPECT_LT(std::abs(scene.ledger_error()), 1e-8) << flipped;
  }
}

// What creeps up to a wall from outside of its reach has met it before it is within.
TEST(Wall, IsThereBeforeASlowPointIsWithinItsReach) {
  for (double start : {.0029, .0031, .0035, .004, .0045}) {
    ContactScene scene;
    scene.system.gravity.setZero();
    scene.add(make_box({.3, .3, .3}, {2, 2, 2}), {TetModel::stvk, 4e4, 2e4, 1}, {0, .15 + start, 0},
              {0, -.06, 0});
    scene.contact.colliders = {collider("plane", plane_shape({0, 1, 0}, 0), 2000)};
    scene.contact.settings.wall = true;
    scene.contact.settings.wall_reach = .003;
    scene.settings.newton.tolerance = 1e-9;
    scene.begin();
    const bool within = start < scene.contact.settings.wall_reach;
    bool eased = false, touched = false;
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(scene.step());
      touched |= scene.state.contact.touching > 0;
      for (const ContactMemory& m : scene.state.contact.memories) eased |= m.wall.shift > 0.0;
    }
    EXPECT_EQ(eased, within) << start;
    EXPECT_TRUE(touched) << start;
  }
}

// A pin that holds a point inside of a collider, and two plates that close on a body: the walls give way, the
// points are named, and the run goes on.
TEST(Wall, GivesWayToPinsAndToPlatesThatClose) {
  ColliderSpec upper = collider("upper", plane_shape({0, -1, 0}, -.6), 2000);
  upper.pose = [](double t) { return Eigen::Isometry3d(Eigen::Translation3d(0, -std::min(t, 2.0) * .4, 0)); };
  ContactScene scene = walled({collider("lower", plane_shape({0, 1, 0}, 0), 2000), upper});
  scene.add(make_box({.1, .05, .1}, {1, 1, 1}), {}, {2, .026, 0});
  scene.begin();
  int named = 0;
  for (int i = 0; i < 75; ++i) {
    ASSERT_TRUE(scene.step()) << i;
    named += !scene.state.contact.given_way.empty();
    ASSERT_TRUE(scene.state.x.allFinite());
  }
  EXPECT_GT(named, 0);
}

}  // namespace
}  // namespace verve::test
