// Walls between bodies: nothing intersects, and the books close.
#include <gtest/gtest.h>

#include "ContactScenes.h"
#include "Intersections.h"
#include "base/Parallel.h"

namespace verve::test {
namespace {

/// A scene whose bodies meet by walls; everything that intersects is counted, still colliders' corners
/// included.
struct Stage {
  ContactScene scene;
  Surfaces surfaces;
  std::vector<Vec3> corners;  ///< of colliders
  int worst = 0, crossed = 0, failed = 0;
  double ledger = 0.0, booked = 0.0;

  Stage() {
    scene.h = 1.0 / 30.0;
    scene.settings.newton.tolerance = 1e-9;
    scene.contact.settings.wall = true;
    scene.contact.settings.between = scene.contact.settings.self = true;
    scene.contact.settings.wall_reach = .002;
    scene.contact.settings.stiffness = 500;
    scene.contact.settings.thickness = .01;
  }
  void begin() {
    scene.add_skins();
    surfaces.add_triangles(scene.triangles, 0);
    int first = scene.system.points();
    for (const ColliderSpec& spec : scene.contact.colliders) {
      const Collider c(spec);
      if (!c.has_corners()) continue;
      surfaces.add_triangles(c.corners().triangles, first);
      for (int i = 0; i < int(c.corners().joined.size()); ++i) corners.push_back(c.start_vertex(i));
      first += int(c.corners().joined.size());
    }
    scene.begin();
  }
  Vector places() const {
    Vector x(scene.state.x.size() + 3 * Eigen::Index(corners.size()));
    x.head(scene.state.x.size()) = scene.state.x;
    for (std::size_t i = 0; i < corners.size(); ++i) point(x, scene.system.points() + int(i)) = corners[i];
    return x;
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      if (!scene.step(scene.h, 8)) {  // as often as Simulation halves
        ++failed;
        return;
      }
      worst = std::max(worst, intersections(surfaces, places()));
      ledger = std::max(ledger, std::abs(scene.ledger_error()));
      booked = scene.state.ledger.booked / scene.state.ledger.largest;
    }
  }
  void expect_kept() const {
    EXPECT_EQ(failed, 0);
    EXPECT_EQ(worst, 0);
    EXPECT_LT(ledger, 1e-8);
    EXPECT_LE(booked, 1e-3);
  }
};

TetMesh turned(TetMesh mesh, double angle, const Vec3& axis) {
  const Mat3 turn = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  for (Vec3& p : mesh.points) p = turn * p;
  return mesh;
}

TEST(PairWalls, BodiesThatHitEachOtherKeepTheirEnergy) {
  for (double speed : {.5, 2.0, 10.0}) {
    SCOPED_TRACE(speed);
    Stage stage;
    stage.scene.system.gravity.setZero();
    const Material soft{TetModel::stvk, 4e4, 2e4, 1};
    stage.scene.add(make_box({.3, .3, .3}, {2, 2, 2}), soft, Vec3::Zero());
    stage.scene.add(turned(make_box({.3, .3, .3}, {2, 2, 2}), .7, {1, 2, 3}), soft, {.05, .5, .03},
                    {0, -speed, 0});
    stage.begin();
    const Vec3 before = momenta(stage.scene.system, stage.scene.state.x, stage.scene.state.v).linear;
    stage.run(speed < 1 ? 60 : 30);
    stage.expect_kept();
    const Vec3 after = momenta(stage.scene.system, stage.scene.state.x, stage.scene.state.v).linear;
    EXPECT_LT((after - before).norm(), 1e-8 * speed);
  }
}

TEST(PairWalls, BodiesAtAnySpeedDoNotPassACloth) {
  for (double speed : {20.0, 60.0, 100.0}) {
    SCOPED_TRACE(speed);
    Stage stage;
    stage.scene.system.gravity.setZero();
    stage.scene.add_sheet(make_sheet({1, 1}, {8, 8}), 2000, .5, Vec3::Zero());
    stage.scene.add(make_box({.2, .2, .2}, {1, 1, 1}), {TetModel::stvk, 4e5, 2e5, .2}, {.03, .3, .02},
                    {0, -speed, 0});
    stage.begin();
    stage.run(6);
    EXPECT_EQ(stage.failed, 0);
    EXPECT_EQ(stage.worst, 0);
    // It is still on the side that it came from.
    const int sheet = 81;
    double below = 0.0;
    for (int i = sheet; i < stage.scene.system.points(); ++i)
      below += (point(stage.scene.state.x, i) - point(stage.scene.state.x, 40)).y();
    EXPECT_GT(below, 0.0);
  }
}

TEST(PairWalls, ClothIsHeldUpByBladesAndSpikesBetweenItsPoints) {
  for (bool spike : {false, true}) {
    SCOPED_TRACE(spike);
    Stage stage;
    stage.scene.add_sheet(make_sheet({1, 1}, {4, 4}), 200, .2, {.03, .2, .02});
    ColliderSpec thin = collider("thin", box_shape(spike ? Vec3(.004, .2, .004) : Vec3(2, .2, .002)), 500);
    thin.thickness = .004;
    stage.scene.contact.colliders = {thin};
    stage.begin();
    stage.run(20);
    stage.expect_kept();
  }
}

TEST(PairWalls, ClothThatFoldsDoesNotPassThroughItself) {
  Stage stage;
  TriangleMesh sheet = make_sheet({.6, .6}, {12, 12});
  for (Vec3& p : sheet.points) p = Vec3(p.x(), p.z() + .35, .02 * std::sin(9 * p.z()) + .01 * p.x());
  stage.scene.add_sheet(sheet, 100, .1, Vec3::Zero());
  ColliderSpec floor = collider("floor", plane_shape({0, 1, 0}, 0), 200);
  floor.thickness = .01;
  stage.scene.contact.colliders = {floor};
  stage.begin();
  stage.run(45);
  stage.expect_kept();
}

// Rubbing takes energy and never gives any.
TEST(PairWalls, FrictionBetweenBodiesStopsThem) {
  Stage stage;
  stage.scene.contact.settings.static_friction = stage.scene.contact.settings.dynamic_friction = .5;
  const Material block{TetModel::stvk, 4e4, 2e4, 1};
  stage.scene.add(make_box({1, .1, 1}, {4, 1, 4}), {TetModel::stvk, 4e4, 2e4, 50}, {0, .056, 0});
  stage.scene.add(make_box({.2, .1, .2}, {2, 1, 2}), block, {-.1, .166, .03}, {.8, 0, 0});
  ColliderSpec floor = collider("floor", plane_shape({0, 1, 0}, 0), 20000);
  floor.thickness = .01;
  floor.static_friction = floor.dynamic_friction = .8;
  stage.scene.contact.colliders = {floor};
  stage.scene.settings.damping.delta = .005;
  stage.begin();
  const auto mean_speed = [&] {
    const int first = 50;
    Vec3 sum = Vec3::Zero();
    for (int i = first; i < stage.scene.system.points(); ++i) sum += point(stage.scene.state.v, i);
    return (sum / (stage.scene.system.points() - first)).x();
  };
  ASSERT_EQ(make_box({1, .1, 1}, {4, 1, 4}).points.size(), 50u);
  double before = 0.0;
  for (int i = 0; i < 30; ++i) {
    const double rubbed = stage.scene.state.ledger.dissipated;
    stage.run(1);
    EXPECT_GT(stage.scene.state.ledger.dissipated, rubbed - 1e-6);
    if (i == 0) before = mean_speed();
  }
  EXPECT_EQ(stage.failed + stage.worst, 0);
  EXPECT_LT(stage.ledger, 1e-6);
  // mu g for .16 s: it stands after some five steps.
  EXPECT_GT(before, .4);
  EXPECT_LT(std::abs(mean_speed()), .05);
}

TEST(PairWalls, OverlappingBodiesAreCountedEasedApartAndThenHeld) {
  Stage stage;
  stage.scene.system.gravity.setZero();
  const Material soft{TetModel::stvk, 4e4, 2e4, 1};
  stage.scene.add(make_box({.3, .3, .3}, {2, 2, 2}), soft, Vec3::Zero());
  stage.scene.add(make_box({.3, .3, .3}, {2, 2, 2}), soft, {.05, .27, .03});
  stage.scene.contact.settings.stiffness = 2000;
  stage.scene.settings.damping.delta = .02;
  stage.begin();
  EXPECT_GT(intersections(stage.surfaces, stage.places()), 0);
  ASSERT_TRUE(stage.scene.step());
  EXPECT_FALSE(stage.scene.state.contact.intersecting.empty());
  EXPECT_FALSE(stage.scene.system.contacts->warnings().empty());
  for (int i = 0; i < 90 && !stage.scene.state.contact.tangled.empty(); ++i) ASSERT_TRUE(stage.scene.step());
  EXPECT_TRUE(stage.scene.state.contact.tangled.empty());
  stage.run(10);
  EXPECT_EQ(stage.worst, 0);
}

// Whatever is kept from step to step is in the state, and threads change nothing.
TEST(PairWalls, StepsDependOnTheStateAlone) {
  const auto make = [] {
    auto stage = std::make_unique<Stage>();
    stage->scene.contact.settings.static_friction = stage->scene.contact.settings.dynamic_friction = .3;
    const Material soft{TetModel::stvk, 4e3, 2e3, 1};
    stage->scene.add(make_box({.3, .3, .3}, {2, 2, 2}), soft, {0, .17, 0});
    stage->scene.add(turned(make_box({.3, .3, .3}, {2, 2, 2}), .4, {1, 0, 2}), soft, {.05, .6, .03},
                     {0, -1, 0});
    ColliderSpec floor = collider("floor", plane_shape({0, 1, 0}, 0), 2000);
    floor.thickness = .01;
    stage->scene.contact.colliders = {floor};
    stage->scene.settings.linear = LinearKind::direct;
    stage->begin();
    return stage;
  };
  const auto whole = make(), parts = make();
  const ThreadLimit one(1);
  whole->run(8);
  const State saved = whole->scene.state;
  whole->run(8);
  {
    const ThreadLimit more(2);
    parts->scene.state = saved;
    parts->run(8);
  }
  EXPECT_GT(whole->scene.state.contact.touching, 0);
  EXPECT_EQ(whole->scene.state.x, parts->scene.state.x);
  EXPECT_EQ(whole->scene.state.v, parts->scene.state.v);
}

}  // namespace
}  // namespace verve::test
