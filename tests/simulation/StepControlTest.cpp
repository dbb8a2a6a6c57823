// Steps that suit the motion: bounce, turning and energy are those of short steps, at any frame rate.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "Bounce.h"
#include "TemporaryFolder.h"
#include "base/Parallel.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

using test::Bounce;

/// Text of a scene: `frame` (fps, substeps, ...) and what is in it.
Scene scene_of(const TemporaryFolder& folder, const std::string& frame, const std::string& rest) {
  std::ofstream(folder / "scene.json")
      << "{" << frame << ", \"solver\": {\"tolerance\": 1e-6}, " << rest << "}";
  return read_scene(folder / "scene.json").scene;
}

std::string soft_box(const std::string& place) {
  return test::box_of({}, place);
}

std::string dropped_box(double delta) {
  return "\"damping\": {\"delta\": " + std::to_string(delta) + R"(}, "bodies": [)" +
         soft_box("[0, 1.25, 0]") + R"(], "colliders": [{"shape": "plane", "stiffness": 20000}])";
}

Bounce bounce(double delta, int fps, const std::string& substeps,
              const std::string& model = "stable_neo_hookean") {
  return test::bounce({delta, fps, substeps, model});
}

TEST(StepControl, BouncesAreThoseOfShortStepsAtEveryFrameRate) {
  for (const auto& [delta, share] : {std::pair(0.0, 0.10), {0.002, 0.05}, {0.02, 0.05}, {0.2, 0.05}}) {
    const Bounce converged = bounce(delta, 60, "32");
    EXPECT_FALSE(converged.bound);
    for (int fps : {24, 30, 60}) {
      const Bounce by_motion = bounce(delta, fps, "\"auto\"");
      EXPECT_NEAR(by_motion.height, converged.height, std::max(0.01, share * converged.height))
          << "delta " << delta << " at " << fps;
      EXPECT_FALSE(by_motion.bound);
    }
  }
}

TEST(StepControl, EnergyStaysExactWhateverTheSteps) {
  // A step's energy is closed to a hundredth of the solver's tolerance, 1e-6; there are some hundred steps.
  for (double delta : {0.0, 0.02}) EXPECT_LT(bounce(delta, 24, "\"auto\"", "stvk").ledger, 1e-6);
}

TEST(StepControl, AFixedNumberIsKeptAndSaysThatItIsTooSmall) {
  const TemporaryFolder folder;
  const Bounce coarse = bounce(0.02, 24, "1");
  EXPECT_TRUE(coarse.bound);
  EXPECT_GT(coarse.height, 0.1) << "the damping of an impact inside a step cannot be seen";
  Scene scene = scene_of(folder, R"("fps": 24, "substeps": "auto", "substeps_max": 2)", dropped_box(0.02));
  Simulation simulation(scene);
  bool bound = false;
  for (int f = 0; f < 16; ++f) {
    const FrameReport report = simulation.advance();
    bound |= report.bound;
    EXPECT_LE(report.substeps, 2);
  }
  EXPECT_TRUE(bound);
}

TEST(StepControl, FreeAndRestingFramesTakeOneStep) {
  const TemporaryFolder folder;
  const Scene scene = scene_of(folder, R"("fps": 24)", dropped_box(0.05));
  ASSERT_EQ(scene.substeps, 0) << "the default";
  Simulation simulation(scene);
  int first_touch = 0, last = 0;
  for (int f = 1; f <= 96; ++f) {
    const FrameReport report = simulation.advance();
    if (!first_touch && report.contacts > 0) first_touch = f;
    // Falling takes sqrt(2 / 9.81) s: 10.8 frames.
    if (f < 10) {
      EXPECT_EQ(report.substeps, 1) << f;
    }
    if (f == 11) {
      EXPECT_GT(report.substeps, 2) << "the first touch is foreseen";
    }
    if (f > 72) last = std::max(last, report.substeps);
  }
  EXPECT_GT(first_touch, 9);
  EXPECT_EQ(last, 1);
}

TEST(StepControl, ABodyInFlightAsksForNoStepsOfItsOwn) {
  const TemporaryFolder folder;
  const std::string floor =
      R"("colliders": [{"shape": "plane", "stiffness": 20000}], "damping": {"delta": 0.02})";
  const Scene one =
      scene_of(folder, R"("fps": 24)", "\"bodies\": [" + soft_box("[0, 1.25, 0]") + "], " + floor);
  const Scene two =
      scene_of(folder, R"("fps": 24)",
               "\"bodies\": [" + soft_box("[0, 1.25, 0]") + ", " + soft_box("[5, 3, 0]") + "], " + floor);
  Simulation alone(one), both(two);
  for (int f = 0; f < 16; ++f) {  // the second falls until frame 18
    const int a = alone.advance().substeps, b = both.advance().substeps;
    EXPECT_LE(b, 2 * a) << f;
  }
}

TEST(StepControl, SpinKeepsRadiusAndMomentum) {
  const TemporaryFolder folder;
  const auto spun = [&](const std::string& substeps) {
    // 900 degrees a second.
    const Scene scene = scene_of(folder, "\"fps\": 24, \"gravity\": [0, 0, 0], \"substeps\": " + substeps, R"(
      "damping": {"delta": 0.01}, "bodies": [{"geometry": {"shape": "sheet", "size": [1, 1], "cells": [12, 12]},
        "material": {"model": "springs", "mu": 2000, "bend": 0.5}, "mass": 0.4,
        "angular_velocity": [0, 15.708, 0]}])");
    Simulation simulation(scene);
    for (int f = 0; f < 24; ++f) simulation.advance();
    const State& s = simulation.state();
    double square = 0.0;
    for (int i = 0; i < simulation.system().points(); ++i) square += point(s.x, i).squaredNorm();
    return std::pair(std::sqrt(square / simulation.system().points()),
                     simulation.report().momentum.angular[1]);
  };
  const auto [radius, momentum] = spun("\"auto\"");
  const auto [wanted_radius, wanted_momentum] = spun("16");
  EXPECT_NEAR(radius, wanted_radius, 0.03 * wanted_radius);
  EXPECT_NEAR(momentum, wanted_momentum, 0.03 * std::abs(wanted_momentum));
  EXPECT_LT(spun("1").second, 0.97 * wanted_momentum) << "what it is there for";
}

TEST(StepControl, HamiltonPontryaginKeepsItsEnergyThroughAnImpact) {
  const TemporaryFolder folder;
  const auto worst = [&](const std::string& substeps) {
    const Scene scene =
        scene_of(folder, "\"fps\": 24, \"integrator\": {\"type\": \"hp\"}, \"substeps\": " + substeps,
                 dropped_box(0.0));
    Simulation simulation(scene);
    double error = 0.0;
    for (int f = 0; f < 30; ++f) error = std::max(error, std::abs(simulation.advance().ledger_error()));
    return error;
  };
  EXPECT_LT(worst("\"auto\""), 0.05);
  EXPECT_GT(worst("1"), 0.2);
}

TEST(StepControl, RunsRepeatAndResumeToTheBit) {
  const TemporaryFolder folder;
  const Scene scene = scene_of(folder, R"("fps": 24)", dropped_box(0.02));
  const auto after = [&](int threads) {
    const ThreadLimit limit(threads);
    Simulation simulation(scene);
    for (int f = 0; f < 16; ++f) simulation.advance();
    return simulation.state().x;
  };
  const Vector x = after(1);
  EXPECT_EQ(x, after(2));
  // In the midst of the impact, where steps are short.
  Simulation first(scene);
  int substeps = 0;
  for (int f = 0; f < 12; ++f) substeps = first.advance().substeps;
  EXPECT_GT(substeps, 1);
  Simulation second(scene);
  second.restore(first.frame(), first.state());
  for (int f = 0; f < 4; ++f) second.advance();
  EXPECT_EQ(second.state().x, x);
}

}  // namespace
}  // namespace verve
