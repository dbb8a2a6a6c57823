// Ropes, which are poly lines of springs, meet everything that other bodies meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

/// A rope of a metre along x, or turned about y, as thick as a thumb; its points are 0.125 m apart.
std::string rope(const std::string& place, int turn, const std::string& more = "") {
  return R"({"geometry": {"shape": "rod", "length": 1, "thickness": 0.04, "cells": 8}, "material": {"model": "springs",
      "mu": 20000, "bend": 200}, "mass": 0.2, "transform": {"translate": )" +
         place + R"(, "rotate": [0, )" + std::to_string(turn) + ", 0]}" + more + "}";
}

/// The lowest and the mean height of the first body's points after a second.
std::pair<double, double> heights(const std::string& bodies, const std::string& more = "") {
  const SceneFile file =
      make_scene(R"({"fps": 30, "damping": {"delta": 0.02, "eta": 0.5}, "contact": {"stiffness": 2000,
      "friction": 0.5}, "bodies": [)" +
                     bodies + "]" + more + "}",
                 "ropes", {});
  Simulation simulation(file.scene);
  for (int f = 0; f < 30; ++f) {
    const FrameReport report = simulation.advance();
    EXPECT_EQ(report.grown, 0.0) << f;
    EXPECT_EQ(report.passed, 0) << f;
  }
  double least = INFINITY, mean = 0.0;
  const int count = int(file.scene.bodies[0].rest.size());
  for (int i = 0; i < count; ++i) {
    const double y = point(simulation.state().x, i)[1];
    least = std::min(least, y);
    mean += y / count;
  }
  return {least, mean};
}

const char* const held = R"(, "pins": [{"points": [0, 8]}])";

TEST(Rope, LiesAcrossTwoOthers) {
  // No point of one comes near another: their edges meet, each in its middle.
  const auto [least, mean] = heights(rope("[0.06, 1.1, 0]", 0) + ", " + rope("[-0.25, 1, 0.06]", 90, held) +
                                     ", " + rope("[0.25, 1, 0.06]", 90, held));
  EXPECT_GT(mean, 0.5) << "free fall would take it to -3.7";
  EXPECT_GT(least, 0.0);
}

TEST(Rope, LiesOnABodyAndOnCloth) {
  const auto on_block =
      heights(rope("[0, 0.6, 0.03]", 0) + R"(, {"geometry": {"shape": "box", "size": [0.4, 0.4, 0.4],
      "cells": [2, 2, 2]}, "density": 200, "transform": {"translate": [0, 0.2, 0]}})",
              R"(, "colliders": [{"shape": "plane", "stiffness": 20000}])");
  EXPECT_GT(on_block.second, 0.2);
  const auto on_cloth =
      heights(rope("[0, 1.2, 0.03]", 0) + R"(, {"geometry": {"shape": "sheet", "size": [1.4, 0.6],
      "cells": [7, 3]}, "material": {"model": "springs", "mu": 20000, "bend": 10}, "mass": 0.3,
      "transform": {"translate": [0, 1, 0]},
      "pins": [{"box": [[-0.71, 0.9, -1], [-0.69, 1.1, 1]]}, {"box": [[0.69, 0.9, -1], [0.71, 1.1, 1]]}]})");
  EXPECT_GT(on_cloth.first, 0.4);
}

TEST(Rope, LiesOnColliders) {
  // Narrower than the rope's points are apart: a box's edges, a capsule and a ball between two of them.
  for (const char* collider :
       {R"("shape": "box", "size": [0.3, 0.5, 0.6], "transform": {"translate": [0, 0.5, 0]})",
        R"("shape": "capsule", "length": 0.6, "radius": 0.15, "transform": {"translate": [0, 0.6, 0],
                                  "rotate": [90, 0, 0]})"}) {
    const auto [least, mean] =
        heights(rope("[0, 0.9, 0]", 0),
                std::string(R"(, "colliders": [{"stiffness": 5000, "friction": 0.5, )") + collider + "}]");
    EXPECT_GT(mean, 0.2) << collider;
    (void)least;
  }
}

TEST(Rope, MeetsItself) {
  // Folded over by its pinned end that is carried over the other half.
  const SceneFile file =
      make_scene(R"({"fps": 30, "damping": {"delta": 0.02}, "contact": {"self": true}, "bodies": [)" +
                     rope("[0, 1, 0]", 0, held) + "]}",
                 "self", {});
  Simulation simulation(file.scene);
  for (int f = 0; f < 10; ++f) EXPECT_EQ(simulation.advance().grown, 0.0) << "its neighbours are no contacts";
}

}  // namespace
}  // namespace verve
