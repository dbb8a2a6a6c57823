// Bodies that meet each other, themselves, and the points of colliders.
#include <gtest/gtest.h>

#include "ContactScenes.h"
#include "FiniteDifference.h"

namespace verve::test {
namespace {

ContactScene two_cubes(double gap, double speed) {
  ContactScene scene;
  scene.system.gravity.setZero();
  const Material material{TetModel::stvk, 4000, 2000, 1};
  scene.add(make_box({.4, .4, .4}, {2, 2, 2}), material, {0, 0, 0}, {0, 0, 0});
  scene.add(make_box({.4, .4, .4}, {3, 3, 3}), material, {.07, .4 + gap, .05}, {0, -speed, 0});
  scene.add_skins();
  scene.contact.settings.between = true;
  scene.contact.settings.thickness = .02;
  scene.settings.newton.tolerance = 1e-10;
  return scene;
}

TEST(Bodies, TwoCubesBounceOffEachOtherAndKeepEnergyAndMomentum) {
  ContactScene scene = two_cubes(.3, 3);
  scene.begin();
  const Vec3 before = momenta(scene.system, scene.state.x, scene.state.v).linear;
  EXPECT_LT(scene.worst_error(60), 1e-8);
  const Vec3 after = momenta(scene.system, scene.state.x, scene.state.v).linear;
  // Each step is solved to a residual of 1e-10 of the momentum scale sqrt(2 E m): 60 of them stay below 1e-7.
  EXPECT_LT((after - before).norm(), 1e-7 * before.norm());
  double lower = 0, upper = 0;
  for (int i = 0; i < scene.system.points(); ++i)
    (scene.system.piece[i] == 0 ? lower : upper) += scene.system.mass[3 * i] * scene.state.v[3 * i + 1];
  EXPECT_LT(lower, -1.0);
  EXPECT_GT(upper - lower, 0.0);
}

TEST(Bodies, OverlapAtTheStartIsReportedAndEasedOut) {
  ContactScene scene = two_cubes(-.02, 0);
  scene.begin();
  double fastest = 0.0;
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(scene.step());
    fastest = std::max(fastest, scene.state.v.lpNorm<Eigen::Infinity>());
  }
  ASSERT_EQ(scene.system.contacts->warnings().size(), 1u);
  EXPECT_NE(scene.system.contacts->warnings()[0].find("eased out"), std::string::npos);
  // 4 cm in half a second. The springs would throw points of 37 g out at .04 sqrt(2 2000/.037) = 13 m/s.
  EXPECT_LT(fastest, 0.5);
  EXPECT_LT(scene.state.contact.deepest, .02);
  EXPECT_LT(std::abs(scene.ledger_error()), 1e-8);
}

TEST(Bodies, NeedleDoesNotSlipBetweenPoints) {
  ContactScene scene;
  scene.add(make_box({1, .3, 1}, {2, 1, 2}), {TetModel::stvk, 4000, 2000, 1}, {0, .5, 0});
  scene.add_skins();
  auto needle = std::make_shared<TriangleMesh>();
  needle->points = {{.13, .2, .11}, {.1, -.5, .1}, {.2, -.5, .1}, {.1, -.5, .2}};
  needle->triangles = {{1, 2, 3}, {0, 2, 1}, {0, 3, 2}, {0, 1, 3}};
  scene.contact.colliders = {collider("needle", nullptr, 4e3)};
  scene.contact.colliders[0].mesh = needle;
  scene.contact.colliders[0].thickness = .01;
  scene.settings.newton.tolerance = 1e-10;
  scene.begin();
  double deepest = 0.0;
  int touches = 0;
  for (int i = 0; i < 25; ++i) {
    ASSERT_TRUE(scene.step());
    deepest = std::max(deepest, scene.state.contact.deepest);
    touches += scene.state.contact.touching;
    ASSERT_LT(std::abs(scene.ledger_error()), 1e-8) << i;
  }
  EXPECT_GT(touches, 0);
  EXPECT_LT(deepest, .1);
}

TEST(Bodies, BodyThatFoldsMeetsItself) {
  // A rod bent to a C at rest, whose tips are thrown against each other.
  TetMesh mesh = make_box({2, .1, .3}, {16, 1, 2});
  constexpr double radius = .4;
  for (Vec3& p : mesh.points) {
    const double angle = p.x() / radius, r = radius - p.y();
    p = Vec3(r * std::sin(angle), radius - r * std::cos(angle), p.z());
  }
  ContactScene scene;
  scene.system.gravity.setZero();
  scene.add(mesh, {TetModel::stvk, 2000, 1000, 1}, {0, 0, 0});
  for (int i = 0; i < scene.system.points(); ++i)
    if (point(scene.state.x, i).y() > .5)
      point(scene.state.v, i).x() = std::copysign(3, -point(scene.state.x, i).x());
  scene.add_skins();
  scene.contact.settings.self = true;
  scene.contact.settings.thickness = .03;
  scene.contact.settings.stiffness = 4000;
  scene.settings.newton.tolerance = 1e-10;
  scene.begin();
  int touches = 0;
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(scene.step()) << i;
    touches += scene.state.contact.touching;
    ASSERT_LT(std::abs(scene.ledger_error()), 1e-8) << i;
  }
  EXPECT_GT(touches, 0);
}

TEST(Bodies, DerivativesAgreeWithFiniteDifferences) {
  ContactScene scene = two_cubes(.01, .5);
  scene.contact.settings.static_friction = scene.contact.settings.dynamic_friction = .4;
  scene.begin();
  Chord chord;
  chord.x0 = scene.state.x;
  chord.samples = {{0.5, 3e-4}, {1.0, 1e-4}};
  Vector x = scene.state.x + .03 * Vector::Random(scene.state.x.size());
  for (bool average : {true, false}) {
    chord.average = average;
    ContactState state;
    scene.system.contacts->begin_step(scene.state.x, scene.state.v, 0, .033, state);
    scene.system.contacts->update_correction(chord, x);
    // The duals of the Hessian are the direction of slip and the force once the iteration stands still; it is
    // exact then.
    scene.system.contacts->follow(chord, x, x);
    check_derivatives(*scene.system.contacts, chord, x);
  }
}

}  // namespace
}  // namespace verve::test
