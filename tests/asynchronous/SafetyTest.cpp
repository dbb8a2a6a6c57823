// Hard cases in which nothing may pass through anything, by the independent continuous test.
#include <gtest/gtest.h>

#include "LayerScenes.h"
#include "TracedRun.h"
#include "base/Error.h"

namespace verve::test {
namespace {

/// Runs and checks every step; returns the most pairs that touched layers at the end of a step.
int run_checked(TracedRun& run, int steps) {
  int touching = 0;
  for (int f = 0; f < steps; ++f) {
    run.step();
    touching = std::max(touching, run.state().contact.touching);
    const int passed = run.passed();
    EXPECT_EQ(passed, 0) << "step " << f;
    if (passed > 0) break;
  }
  return touching;
}

TEST(Safety, ClothOverANeedle) {
  TracedRun run(needle_scene(10));
  EXPECT_GT(run_checked(run, 24), 3);
}

TEST(Safety, KnottedRodPulledTight) {
  TracedRun run(knot_scene(40));
  EXPECT_GT(run_checked(run, 20), 10);
}

/// Faster than a thickness in a thousandth of a frame: a spring to a plane found at a step's start would not
/// see it.
TEST(Safety, FastBodyAgainstThinThings) {
  Scene scene = layer_scene(LayerSpacing::impact, 0.1);
  scene.contact.between = true;
  scene.contact.thickness = 0.002;
  scene.bodies.push_back(soft_box("bullet", 0.05, 1, 1e6, {0, 0.2, 0.013}, {10, 20, 30}));
  set_velocity(scene.bodies[0], {0, -100, 0});
  scene.bodies.push_back(
      make_cloth("sheet", make_sheet({0.4, 0.4}, {6, 6}), SpringModel::stvk, 1e6, 1e3, 0.3));
  ColliderSpec floor;
  floor.name = "floor";
  floor.shape = plane_shape(Vec3::UnitY(), -0.1);
  scene.colliders.push_back(floor);
  scene.fps = 240.0;
  TracedRun run(scene);
  int deepest = 0;
  for (int f = 0; f < 4; ++f) {
    deepest = std::max(deepest, run.step().deepest_layer);
    EXPECT_EQ(run.passed(), 0) << f;
  }
  EXPECT_GT(deepest, 5);
}

/// Thin round things below the middles of a cloth's coarse cells, where no point comes near.
TEST(Safety, RoundThingsDoNotSlipBetweenPoints) {
  const auto at = [](const Vec3& place) {
    return [place](double) { return Eigen::Isometry3d(Eigen::Translation3d(place)); };
  };
  for (const int kind : {0, 1, 2}) {
    Scene scene = layer_scene(LayerSpacing::resting, 0.05);
    scene.gravity = {0, -9.81, 0};
    scene.bodies.push_back(
        make_cloth("cloth", make_sheet({0.9, 0.9}, {3, 3}), SpringModel::stvk, 5000, 50, 0.2));
    scene.contact.thickness = 0.01;
    scene.integrator.damping.delta = 0.002;
    ColliderSpec round = collider("round", kind == 0   ? sphere_shape({0, 0, 0}, 0.03)
                                           : kind == 1 ? capsule_shape({-0.02, 0, -0.6}, {0.02, 0, 0.6}, 0.02)
                                                       : torus_shape(0.08, 0.02));
    round.stiffness = 500.0;
    round.pose = at({0.02, -0.06, 0.01});
    scene.colliders.push_back(round);
    TracedRun run(scene);
    double nearest = 1.0;
    for (int f = 0; f < 12; ++f) {
      run_checked(run, 1);
      for (const auto& t : scene.bodies[0].surface)  // every place of the cloth, sampled
        for (int i = 0; i <= 40; ++i)
          for (int j = 0; i + j <= 40; ++j) {
            const Vec3 p = (i * point(run.state().x, t[0]) + j * point(run.state().x, t[1]) +
                            (40 - i - j) * point(run.state().x, t[2])) /
                           40.0;
            nearest = std::min(nearest, round.shape->distance(round.pose(0.0).inverse() * p, 1.0).value);
          }
    }
    EXPECT_GT(nearest, 0.0) << kind;
    EXPECT_LT(nearest, 0.01) << kind;
  }
}

TEST(Safety, ARoundThingThatStartsInAFaceIsNamed) {
  Scene scene = layer_scene(LayerSpacing::resting, 0.05);
  scene.bodies.push_back(
      make_cloth("cloth", make_sheet({0.9, 0.9}, {3, 3}), SpringModel::stvk, 5000, 50, 0.2));
  scene.contact.thickness = 0.01;
  scene.colliders.push_back(collider("ball", sphere_shape({0.02, -0.02, 0.01}, 0.03)));
  try {
    TracedRun run(scene);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("body 'cloth' starts inside collider 'ball'"), std::string::npos)
        << error.what();
  }
}

/// No point of the block comes near the small box below the middle of its face, whose corners hold it up.
TEST(Safety, CornersOfABoxHoldAFace) {
  Scene scene = layer_scene(LayerSpacing::resting, 0.05);
  scene.gravity = {0, -9.81, 0};
  scene.bodies.push_back(soft_box("block", 0.4, 1, 2e4, {0.01, 0.24, -0.02}));
  ColliderSpec box;
  box.name = "box";
  box.shape = box_shape({0.05, 0.04, 0.05});
  scene.colliders.push_back(box);
  TracedRun run(scene);
  EXPECT_GT(run_checked(run, 10), 0);
  double lowest = 1.0;
  for (int i = 0; i < int(run.state().x.size() / 3); ++i)
    lowest = std::min(lowest, point(run.state().x, i)[1]);
  EXPECT_GT(lowest, -0.02);  // 0.5 m lower if it had fallen
}

}  // namespace
}  // namespace verve::test
