// Ropes, which are poly lines of springs, meet everything that other bodies meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/Error.h"
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

/// The tip of a rope that is held by its first two points: its drop, in lengths from half-way between them.
double drop(int cells, const std::string& material, const std::string& load) {
  const double step = 1.0 / (cells + 0.5);
  const SceneFile file = make_scene(
      R"({"gravity": [0, 0, 0], "bodies": [{"geometry": {"shape": "rod", "thickness": 0.02, "length": )" +
          std::to_string(step * (cells + 1)) + R"(, "cells": )" + std::to_string(cells + 1) +
          R"(}, "material": )" + material +
          R"(, "settle": true, "pins": [{"points": [0, 1]}], "forces": [{"points": [)" +
          std::to_string(cells + 1) + R"(], "force": [0, -)" + load + ", 0]}]}]}",
      "rope", {});
  const Simulation simulation(file.scene);
  return -point(simulation.state().x, cells + 1)[1];
}

// The elastica under a load of 2 EI/L^2 at its tip, whatever the number of links: EI as it is, or of a round
// rod.
TEST(Rope, BendsAsTheElasticaInSIUnits) {
  for (int cells : {16, 40}) {
    EXPECT_NEAR(drop(cells, R"({"model": "rope", "stretch": 1000, "bend": 0.001})", "0.002"), 0.4935, 0.005);
    const double inertia = M_PI / 64.0 * std::pow(0.02, 4);
    EXPECT_NEAR(drop(cells, R"({"model": "rope", "young": 1e6})", std::to_string(2e6 * inertia)), 0.4935,
                0.005);
  }
}

TEST(Rope, StretchesByItsLoadOverEA) {
  const SceneFile file = make_scene(
      R"({"bodies": [{"geometry": {"shape": "rod", "cells": 7}, "material": {"model": "rope", "stretch": 500, "bend": 0},
      "density": 0.001, "settle": true, "transform": {"rotate": [0, 0, -90]}, "pins": [{"points": [0]}],
      "forces": [{"points": [7], "force": [0, -5, 0]}]}]})",
      "rope", {});
  const Simulation simulation(file.scene);
  const double length = (point(simulation.state().x, 7) - point(simulation.state().x, 0)).norm();
  // EA f (f^2 - 1) / 2 = P: Green's strain makes it a little more than 1 %.
  EXPECT_NEAR(500 * length * (length * length - 1) / 2, 5.0, 0.01);
}

TEST(Rope, SaysWhatItIsNotMadeOf) {
  const auto error = [](const std::string& material) -> std::string {
    try {
      make_scene(R"({"bodies": [{"geometry": {"shape": "rod"}, "material": )" + material + "}]}", "rope", {});
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const auto expect = [&](const std::string& material, const std::string& part) {
    EXPECT_NE(error(material).find(part), std::string::npos) << error(material);
  };
  expect(R"({"model": "rope", "mu": 3})",
         "does not belong to a rope, which has stretch (N) and bend (N m^2)");
  expect(R"({"model": "rope", "young": 3, "stretch": 3})", "gives both young and stretch");
  expect(R"({"model": "springs", "stretch": 3})", "belongs to a rope, but the model is 'springs'");
  expect(R"({"model": "rope", "warp": 3})", "belongs to a membrane, but the model is 'rope'");
}

}  // namespace
}  // namespace verve
