// Colliders that are softer or smoother in places.
#include <gtest/gtest.h>

#include "ContactScenes.h"
#include "base/Error.h"

namespace verve::test {
namespace {

/// A floor of 8 x 8 m whose multipliers are functions of the place.
template <class Stiffness, class Friction>
ColliderSpec floor_of(const Stiffness& stiffness, const Friction& friction) {
  ColliderSpec spec = collider("floor", nullptr, 2e3);
  const auto mesh = std::make_shared<TriangleMesh>(make_sheet({8, 8}, {16, 16}));
  spec.mesh = mesh;
  spec.thickness = .05;
  spec.static_friction = spec.dynamic_friction = .4;
  for (const Vec3& p : mesh->points) {
    spec.point_stiffness.push_back(stiffness(p));
    spec.point_friction.push_back(friction(p));
  }
  return spec;
}

/// A stiff block that slides over the floor with 2 m/s, at rest on it otherwise.
ContactScene sliding_block(const ColliderSpec& floor, double x = 0.0) {
  ContactScene scene;
  scene.add(make_box({.4, .2, .4}, {2, 1, 2}), {TetModel::stvk, 4e4, 2e4, 1}, {x, .155, 0}, {2, 0, 0});
  scene.contact.colliders = {floor};
  scene.settings.newton.tolerance = 1e-10;
  return scene;
}

double speed(const ContactScene& scene) {
  return momenta(scene.system, scene.state.x, scene.state.v).linear.x();  // of 1 kg
}

TEST(Multipliers, EnergyIsKeptWhereTheStiffnessVaries) {
  const auto none = [](const Vec3&) { return 0.0; };
  const auto waves = [](const Vec3& p) { return 1.5 + std::sin(3 * p.x()) * std::cos(2 * p.z()); };
  ContactScene scene = sliding_block(floor_of(waves, none), -2);
  scene.begin();
  for (int i = 0; i < 80; ++i) {
    ASSERT_TRUE(scene.step()) << i;
    ASSERT_LT(std::abs(scene.ledger_error()), 1e-8) << i;
  }
  EXPECT_GT(momenta(scene.system, scene.state.x, scene.state.v).linear.norm(), 0.5);
}

TEST(Multipliers, TwiceTheStiffnessEverywhereIsThatOfTheCollider) {
  const auto one = [](const Vec3&) { return 1.0; };
  ColliderSpec by_point = floor_of([](const Vec3&) { return 2.0; }, one), whole = floor_of(one, one);
  whole.stiffness *= 2.0;
  ContactScene a = sliding_block(by_point), b = sliding_block(whole);
  a.begin(), b.begin();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(a.step() && b.step());
  // Both follow the same equations, solved to 1e-10 of the energy a step.
  EXPECT_LT((a.state.x - b.state.x).norm(), 1e-6);
}

TEST(Multipliers, FrictionIsThatOfThePlace) {
  // Ice to the left of x = 0, and rough ground to the right of it.
  const auto one = [](const Vec3&) { return 1.0; };
  const auto rough = [](const Vec3& p) { return p.x() > 0 ? 1.0 : 0.0; };
  ContactScene ice = sliding_block(floor_of(one, rough), -2), ground = sliding_block(floor_of(one, rough), 1);
  ice.begin(), ground.begin();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(ice.step() && ground.step());
  EXPECT_NEAR(speed(ice), 2.0, 1e-6);
  // mu g for 10 steps of .033 s; the block rocks a little as it lands.
  EXPECT_NEAR(speed(ground), 2.0 - .4 * 9.81 * .33, .15);
  EXPECT_LT(std::abs(ground.ledger_error()), 1e-8);
}

TEST(Multipliers, BadOnesNameTheirPoint) {
  const auto one = [](const Vec3&) { return 1.0; };
  for (double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    for (bool stiffness : {true, false}) {
      ColliderSpec spec = floor_of(one, one);
      (stiffness ? spec.point_stiffness : spec.point_friction)[7] = bad;
      try {
        const Collider made(spec);
        FAIL() << bad;
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("point 7"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("floor"), std::string::npos) << error.what();
      }
    }
  ColliderSpec spec = floor_of(one, one);
  spec.point_friction.pop_back();
  EXPECT_THROW(Collider{spec}, Error);
}

}  // namespace
}  // namespace verve::test
