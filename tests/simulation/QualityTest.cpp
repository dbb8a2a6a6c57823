// What quality promises, and what scenes leave to the solver: rule, correction and material that keep the
// energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "Bounce.h"

namespace verve {
namespace {

struct Kept {
  double ledger = 0.0;  ///< largest error of the energy balance
  int iterations = 0;
  double height = 0.0;  ///< of the centre at the end, m
  int inverted = 0;     ///< at the end
};

Kept run(const std::string& text, int frames) {
  const SceneFile file = make_scene(text, "quality", {});
  Simulation simulation(file.scene);
  Kept kept;
  FrameReport report;
  for (int f = 0; f < frames; ++f) {
    report = simulation.advance();
    kept.ledger = std::max(kept.ledger, std::abs(report.ledger_error()));
    kept.iterations += report.steps.newton_iterations;
  }
  kept.height = report.levels.gravity / (9.81 * simulation.system().mass.sum() / 3.0);
  kept.inverted = report.inverted;
  return kept;
}

/// A soft box that falls askew on a rough floor, and cloth that falls on a rough ball.
const char* const box = R"("fps": 24, "damping": {"delta": 0.004}, "bodies": [{"geometry": {"shape": "box",
    "size": [0.5, 0.5, 0.5], "cells": [3, 3, 3]}, "density": 100, "material": {"young": 60000, "poisson": 0.3},
    "transform": {"translate": [0, 0.7, 0], "rotate": [0, 0, 20]}, "velocity": [1, -2, 0]}],
    "colliders": [{"shape": "plane", "stiffness": 20000, "friction": 0.4}])";
const char* const cloth = R"("fps": 30, "damping": {"delta": 0.02}, "bodies": [{"geometry": {"shape": "sheet",
    "size": [1.2, 1.2], "cells": [14, 14]}, "material": {"model": "springs", "mu": 400, "bend": 0.5}, "mass": 0.4,
    "transform": {"translate": [0, 1.15, 0]}}], "colliders": [{"shape": "sphere", "center": [0, 0.6, 0],
    "radius": 0.5, "stiffness": 800, "friction": 0.3, "thickness": 0.01}])";

std::string with(const std::string& settings, const char* scene) {
  return "{" + settings + ", " + scene + "}";
}

TEST(Quality, EachKeepsWhatItSays) {
  for (const char* scene : {box, cloth}) {
    const Kept preview = run(with(R"("quality": "preview")", scene), 24),
               final = run(with(R"("quality": "final")", scene), 24),
               exact = run(with(R"("quality": "exact")", scene), 24);
    EXPECT_LT(preview.ledger, 1e-2) << scene;
    EXPECT_LT(final.ledger, 1e-4) << scene;
    EXPECT_LT(exact.ledger, 1e-9) << scene;
    EXPECT_LT(preview.iterations, 0.8 * final.iterations) << scene;
    EXPECT_LT(final.iterations, 0.8 * exact.iterations) << scene;
    // The look: where it is, within a tenth of the box's size.
    EXPECT_NEAR(preview.height, exact.height, 0.05) << scene;
    EXPECT_NEAR(final.height, exact.height, 0.005) << scene;
  }
}

TEST(Quality, ToleranceWinsWhereItIsGiven) {
  const SceneFile plain = make_scene(with(R"("quality": "preview")", box), "plain", {}),
                  given = make_scene(with(R"("quality": "preview", "solver": {"tolerance": 1e-7})", box),
                                     "given", {}),
                  usual = make_scene(with(R"("frames": [1, 2])", box), "usual", {});
  EXPECT_EQ(plain.scene.integrator.newton.tolerance, 1e-2);
  EXPECT_TRUE(plain.warnings.empty());
  EXPECT_EQ(given.scene.integrator.newton.tolerance, 1e-7);
  EXPECT_EQ(given.scene.step_tolerance, plain.scene.step_tolerance);
  ASSERT_EQ(given.warnings.size(), 1u);
  EXPECT_NE(given.warnings[0].find("preview"), std::string::npos);
  EXPECT_EQ(usual.scene.integrator.newton.tolerance, 1e-4);
  EXPECT_LT(usual.scene.step_tolerance, plain.scene.step_tolerance);
  EXPECT_THROW(make_scene(with(R"("quality": "finale")", box), "wrong", {}), Error);
}

TEST(Defaults, EveryMaterialKeepsItsEnergyThroughAnImpact) {
  for (const char* model : {"stvk", "stable_neo_hookean", "neo_hookean", "mooney_rivlin"}) {
    const std::string setting = std::string("bodies[0].material.model=\"") + model + "\"";
    const auto ledger = [&](std::vector<std::string> settings) {
      settings.push_back(setting);
      const SceneFile file =
          make_scene(with(R"("quality": "exact", "substeps": 1)", box), "material", {}, settings);
      Simulation simulation(file.scene);
      double worst = 0.0;
      for (int f = 0; f < 16; ++f) worst = std::max(worst, std::abs(simulation.advance().ledger_error()));
      return worst;
    };
    EXPECT_LT(ledger({}), 1e-9) << model;
    // Who chooses a rule gets that rule: Simpson's is exact for StVK alone.
    if (std::string(model) == "stvk")
      EXPECT_LT(ledger({"integrator.quadrature=simpson"}), 1e-9);
    else
      EXPECT_GT(ledger({"integrator.quadrature=simpson"}), 1e-6) << model;
  }
}

TEST(Defaults, ASquashedBodyFindsBackToItsShape) {
  // Squashed to a fifth along x, and let go; then between a floor and a plate.
  const Kept free =
      run(R"({"fps": 24, "gravity": [0, 0, 0], "damping": {"delta": 0.02}, "bodies": [{"geometry":
      {"shape": "box", "size": [0.5, 0.5, 0.5], "cells": [4, 4, 4]}, "material": {"young": 20000, "poisson": 0.4},
      "stretch": 0.2}]})",
          24);
  EXPECT_EQ(free.inverted, 0);
  const Kept pressed = run(R"({"fps": 24, "damping": {"delta": 0.02}, "bodies": [{"geometry": {"shape": "box",
      "size": [0.5, 0.5, 0.5], "cells": [4, 4, 4]}, "material": {"young": 20000, "poisson": 0.4},
      "transform": {"translate": [0, 0.25, 0]}}], "colliders": [{"shape": "plane", "stiffness": 20000},
      {"shape": "box", "size": [2, 0.2, 2], "stiffness": 20000, "transform": {"translate": [0, 0.6, 0]}, "motion":
      {"keys": [[0, {}], [0.5, {"translate": [0, -0.4, 0]}], [1, {"translate": [0, 0.5, 0]}]]}}]})",
                           40);
  EXPECT_EQ(pressed.inverted, 0);
}

TEST(Telling, PointsThatWentThroughAColliderAreCounted) {
  // A wall of paper, much too soft for this speed.
  const SceneFile file =
      make_scene(R"({"fps": 24, "gravity": [0, 0, 0], "bodies": [{"geometry": {"shape": "box",
      "size": [0.2, 0.2, 0.2], "cells": [1, 1, 1]}, "density": 100, "velocity": [8, 0, 0],
      "transform": {"translate": [-0.3, 0, 0]}}],
      "colliders": [{"shape": "box", "size": [0.02, 2, 2], "stiffness": 1}]})",
                 "wall", {});
  Simulation simulation(file.scene);
  int passed = 0;
  for (int f = 0; f < 6; ++f) passed += simulation.advance().passed;
  EXPECT_EQ(passed, 8) << "each point once";
  // A bounce, a roll over an edge and rest are none of it.
  const SceneFile fine = make_scene(with(R"("frames": [1, 2])", box), "box", {}),
                  draped = make_scene(with(R"("frames": [1, 2])", cloth), "cloth", {});
  for (const SceneFile* scene : {&fine, &draped}) {
    Simulation calm(scene->scene);
    for (int f = 0; f < 24; ++f) {
      const FrameReport report = calm.advance();
      EXPECT_EQ(report.passed, 0);
      EXPECT_EQ(report.grown, 0.0);
    }
  }
}

TEST(Telling, EnergyThatComesFromNowhereIsSaid) {
  // The papers' example: midpoint explodes on a stretched and twisted bar.
  const SceneFile file = make_scene(R"({"fps": 10, "substeps": 1, "gravity": [0, 0, 0], "integrator": {"type":
      "implicit_midpoint"}, "bodies": [{"geometry": {"shape": "bar", "size": [1, 0.2, 0.2], "cells": [8, 2, 2]},
      "material": {"model": "stvk", "mu": 400, "lambda": 100}, "mass": 1, "stretch": 1.5, "twist": 1.5}]})",
                                    "bar", {});
  Simulation simulation(file.scene);
  double grown = 0.0;
  for (int f = 0; f < 100; ++f) grown = std::max(grown, simulation.advance().grown);
  EXPECT_GT(grown, 0.0);
}

}  // namespace
}  // namespace verve
