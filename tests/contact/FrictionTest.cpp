#include <gtest/gtest.h>

#include "ContactScenes.h"

namespace verve::test {
namespace {

/// A stiff block on a slope of `degrees`: the floor is level and gravity leans.
ContactScene slope_scene(double degrees, double friction, double h) {
  ContactScene scene;
  const double angle = degrees * M_PI / 180.0;
  scene.system.gravity = 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0);
  const double k = 2e4, mass = 1.0;
  const int cells = 2, bottom = (cells + 1) * (cells + 1);
  // It starts where the floor carries it: each bottom point bears its share, k s^2 pushes with 2 k s.
  const double sink = mass * 9.81 * std::cos(angle) / (bottom * 2.0 * k);
  scene.add(make_box({.5, .2, .5}, {cells, 1, cells}), {TetModel::stvk, 2e4, 1e4, mass}, {0, .1 - sink, 0});
  ColliderSpec floor = collider("floor", plane_shape({0, 1, 0}, 0), k);
  floor.static_friction = floor.dynamic_friction = friction;
  scene.contact.colliders = {floor};
  scene.settings.newton.tolerance = 1e-9;
  scene.h = h;
  scene.begin();
  return scene;
}

Vec3 centre(const ContactScene& scene) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < scene.system.points(); ++i)
    sum += scene.system.mass[3 * Eigen::Index(i)] * point(scene.state.x, i);
  return sum / (scene.system.mass.sum() / 3.0);
}

TEST(Friction, SlidesDownASlopeAsCoulombSays) {
  const double angle = M_PI / 6, friction = .2,
               expected = 9.81 * (std::sin(angle) - friction * std::cos(angle));
  for (double h : {1.0 / 24, 1.0 / 240}) {
    ContactScene scene = slope_scene(30, friction, h);
    const int steps = int(std::lround(1.0 / h));
    const double from = centre(scene).x();
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(scene.step());
      ASSERT_LT(std::abs(scene.ledger_error()), 1e-7);
    }
    const double way = centre(scene).x() - from;
    EXPECT_NEAR(2 * way, expected, 0.01 * expected) << "h " << h;  // x = a t^2/2 after one second
    EXPECT_GT(scene.state.ledger.dissipated, 0.0);
  }
}

TEST(Friction, SticksBelowTheFrictionAngle) {
  for (double h : {1.0 / 24, 1.0 / 240}) {
    ContactScene scene = slope_scene(30, .8, h);
    const int second = int(std::lround(1.0 / h));
    for (int i = 0; i < second; ++i) ASSERT_TRUE(scene.step());
    double before = scene.state.ledger.dissipated, mean[2] = {0.0, 0.0};
    for (int half : {0, 1})  // nothing damps the block's own oscillation: compare means
      for (int i = 0; i < second; ++i) {
        ASSERT_TRUE(scene.step());
        ASSERT_GE(scene.state.ledger.dissipated, before - 1e-15);
        before = scene.state.ledger.dissipated;
        mean[half] += centre(scene).x() / second;
      }
    EXPECT_LT(std::abs(mean[1] - mean[0]), 1e-5) << "h " << h;  // a second's share of 0.1 mm in 10 s
  }
}

TEST(Friction, HoldsAtRestUntilTheStaticLimitThenSlidesAtTheDynamicOne) {
  // tan 30 = .577, let go at once, pulls twice as hard at first, which is below the static coefficient: at
  // rest it holds; pushed, it keeps sliding.
  for (double push : {0.0, 1.0}) {
    ContactScene scene = slope_scene(30, .2, 1.0 / 60);
    scene.contact.colliders[0].static_friction = 1.3;
    for (int i = 0; i < scene.system.points(); ++i) point(scene.state.v, i).x() = push;
    scene.begin();
    const double from = centre(scene).x();
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(scene.step());
    const double way = centre(scene).x() - from;
    if (push == 0.0)
      EXPECT_LT(way, 1e-3);
    else
      EXPECT_GT(way, 1.0 + 0.9 * 0.5 * 9.81 * (std::sin(M_PI / 6) - .2 * std::cos(M_PI / 6)));
  }
}

TEST(Friction, ABeltCarriesTheBlockAlongAndPaysForIt) {
  ContactScene scene = slope_scene(0, .5, 1.0 / 60);
  scene.contact.colliders[0].pose = [](double time) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = Vec3(0.5 * time, 0, 0);
    return pose;
  };
  scene.begin();
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(scene.step());
    ASSERT_LT(std::abs(scene.ledger_error()), 1e-9) << i;
  }
  EXPECT_NEAR(momenta(scene.system, scene.state.x, scene.state.v).linear.x(), 0.5, 0.01);
  // Slipping up to speed dissipates as much as it gives: half of the work.
  EXPECT_NEAR(scene.state.ledger.work, 0.25, 0.02);
  EXPECT_NEAR(scene.state.ledger.dissipated, 0.125, 0.02);
}

}  // namespace
}  // namespace verve::test
