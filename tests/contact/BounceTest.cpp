// Bodies that bounce: the energy through thousands of contacts.
#include <gtest/gtest.h>

#include "ContactScenes.h"

namespace verve::test {
namespace {

// Every step may be off by a few times the Newton tolerance of 1e-10 (it is measured so that a thousand steps
// together stay within it), and 400 steps are run: 1e-8 leaves a factor of ten.
constexpr double tolerance = 1e-8;

TEST(Bounce, KeepsItsEnergyOnAPlaneAtEveryStiffness) {
  for (double k : {2e2, 2e3, 2e5}) {
    ContactScene scene = cube_scene();
    scene.contact.colliders = {collider("floor", plane_shape({0, 1, 0}, 0), k)};
    scene.begin();
    int bounces = 0;
    bool touched = false;
    for (int i = 0; i < 400; ++i) {
      ASSERT_TRUE(scene.step()) << "k " << k << ", step " << i;
      ASSERT_LT(std::abs(scene.energy() - scene.start) / scene.state.ledger.largest, tolerance)
          << "k " << k << ", step " << i;
      const bool touches = scene.state.contact.touching > 0;
      bounces += touches && !touched;
      touched = touches;
    }
    EXPECT_GT(bounces, 5) << "k " << k;
  }
}

TEST(Bounce, PaperRuleGainsEnergyWhereTheExactOneDoesNot) {
  ContactScene scene = cube_scene();
  scene.contact.settings.rule = ContactRule::paper;
  scene.contact.colliders = {collider("floor", plane_shape({0, 1, 0}, 0), 2e3)};
  scene.begin();
  double worst = 0.0;
  for (int i = 0; i < 300 && scene.step(); ++i) worst = std::max(worst, std::abs(scene.ledger_error()));
  EXPECT_GT(worst, 1e-3);
}

TEST(Bounce, KeepsItsEnergyInABowlWithEveryMaterial) {
  for (TetModel model : {TetModel::stvk, TetModel::stable_neo_hookean}) {
    ContactScene scene = cube_scene({model, 2000, 1000, 1});
    scene.settings.correction = model != TetModel::stvk ? Correction::local : Correction::none;
    scene.settings.gauss = model == TetModel::stvk ? 0 : 3;
    scene.contact.colliders = {collider("bowl", sphere_shape({0, 2, 0}, 2, true), 2e3)};
    scene.begin();
    EXPECT_LT(scene.worst_error(300), tolerance);
  }
}

TEST(Bounce, KeepsItsEnergyOnEveryShape) {
  const auto on = [](const char* name, std::unique_ptr<Shape> shape) {
    ContactScene scene = cube_scene({TetModel::stvk, 2000, 1000, 1});
    scene.contact.colliders = {collider(name, std::move(shape), 2e3)};
    scene.contact.colliders[0].thickness = 0.1;
    scene.begin();
    EXPECT_LT(scene.worst_error(60), tolerance) << name;
    EXPECT_LT(point(scene.state.v, 0).y(), 20.0);
    EXPECT_GT(scene.state.ledger.largest, 0.0);
  };
  on("sphere", sphere_shape({0, -1, 0}, 1));
  on("box", box_shape({2, .4, 2}));
  on("capsule", capsule_shape({-1, 0, 0}, {1, 0, 0}, .3));
  on("torus", torus_shape(.5, .2));
}

}  // namespace
}  // namespace verve::test
