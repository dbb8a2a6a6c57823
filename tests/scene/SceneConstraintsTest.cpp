// The scene's `constraints`, and what the energy target and the stable step say, from JSON to motion.
#include <gtest/gtest.h>

#include "TemporaryFolder.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

const char* const two_bars =
    R"({"name": "left", "geometry": {"shape": "bar", "size": [1, 0.2, 0.2], "cells": [4, 1, 1]},
  "material": {"mu": 2000, "lambda": 1000}, "mass": 1},
 {"name": "right", "geometry": {"shape": "bar", "size": [1, 0.2, 0.2], "cells": [3, 1, 1]},
  "material": {"mu": 2000, "lambda": 1000}, "mass": 1, "transform": {"translate": [1.0, 0, 0]}})";

class SceneConstraints : public testing::Test {
 protected:
  SceneFile read(const std::string& more, const std::vector<std::string>& settings = {}) {
    std::ofstream(folder_ / "s.json")
        << R"({"fps": 30, "contact": {"bodies": false}, "solver": {"tolerance": 1e-10}, "bodies": [)"
        << two_bars << "]" << more << "}";
    return read_scene(folder_ / "s.json", settings);
  }
  std::string error(const std::string& more) {
    try {
      const SceneFile file = read(more);
      Simulation simulation(file.scene);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(SceneConstraints, EveryTypeHoldsUnderEveryIntegrator) {
  const std::string all = R"(, "constraints": [
    {"type": "distance", "body": "left", "points": [0], "place": [-0.5, 1, 0]},
    {"type": "distance", "body": "left", "points": [0, 1]},
    {"type": "distance", "body": 0, "points": [2], "to": {"body": 1, "points": [3]}},
    {"type": "plane", "body": 1, "points": [0], "direction": [0, 0, 1]},
    {"type": "line", "body": 1, "points": [1], "direction": [0, 1, 0]},
    {"type": "rigid", "body": "right", "box": [[1.4, -1, -1], [1.6, 1, 1]]},
    {"type": "weld", "body": "left", "box": [[0.49, -1, -1], [0.51, 1, 1]], "to": {"body": "right"}}])";
  for (const char* type : {"avf", "hp", "backward_euler", "implicit_midpoint", "newmark", "bdf2", "bathe"}) {
    SCOPED_TRACE(type);
    const SceneFile file = read(all, {std::string("integrator.type=") + type});
    Simulation simulation(file.scene);
    FrameReport report;
    for (int i = 0; i < 20; ++i) {
      report = simulation.advance();
      EXPECT_LT(report.constraint_gap, 1e-10);
      EXPECT_EQ(report.halvings, 0);
    }
    EXPECT_GT(report.constraint_force, 0.1) << "something has to carry the weight";
    if (std::string(type) == "avf") {
      EXPECT_LT(std::abs(report.ledger_error()), 1e-8);
    }
  }
}

TEST_F(SceneConstraints, ExplicitStepsHoldThem) {
  const SceneFile file =
      read(R"(, "substeps": 50, "constraints": [{"type": "distance", "points": [0], "place": [-0.5, 1, 0]},
                                                {"type": "weld", "box": [[0.49, -1, -1], [0.51, 1, 1]],
                                                 "to": {"body": 1}}])",
           {"integrator.type=hp", "integrator.alpha=0"});
  Simulation simulation(file.scene);
  for (int i = 0; i < 5; ++i) EXPECT_LT(simulation.advance().constraint_gap, 1e-10);
}

TEST_F(SceneConstraints, MistakesAreNamed) {
  const auto one = [&](const std::string& text) { return error(R"(, "constraints": [)" + text + "]"); };
  EXPECT_NE(one(R"({"type": "glue", "points": [0]})").find("constraints[0].type"), std::string::npos);
  EXPECT_NE(one(R"({"type": "plane"})").find("box or points"), std::string::npos);
  EXPECT_NE(one(R"({"type": "plane", "points": [999]})").find("999"), std::string::npos);
  EXPECT_NE(one(R"({"type": "plane", "body": "lft", "points": [0]})").find("'left'"), std::string::npos);
  EXPECT_NE(one(R"({"type": "plane", "body": 7, "points": [0]})").find("from 0 to 1"), std::string::npos);
  EXPECT_NE(one(R"({"type": "rigid", "points": [0, 1], "length": 2})").find("length"), std::string::npos);
  EXPECT_NE(one(R"({"type": "weld", "points": [0]})").find("'to'"), std::string::npos);
  EXPECT_NE(one(R"({"type": "distance", "points": [0]})").find("two points"), std::string::npos);
  EXPECT_NE(
      one(R"({"type": "distance", "points": [0], "place": [0, 0, 0], "length": 9})").find("constraint 0"),
      std::string::npos);
  EXPECT_NE(
      one(R"({"type": "distance", "points": [0, 1]}, {"type": "distance", "points": [0, 1], "length": 9})")
          .find("constraint 1"),
      std::string::npos)
      << "they contradict each other";
}

TEST_F(SceneConstraints, EnergyIsLostAtTheRateAskedFor) {
  const SceneFile file = read(R"(, "gravity": [0, 0, 0], "damping": {"energy_loss": 0.5})",
                              {"bodies.0.stretch=1.2", "bodies.1.stretch=0.9"});
  Simulation simulation(file.scene);
  const double start = simulation.report().levels.total();
  FrameReport report;
  for (int i = 0; i < 60; ++i) report = simulation.advance();
  // Where a body is at rest in the middle of a swing there is nothing to take from, so that it may lag.
  EXPECT_NEAR(report.levels.total() / start, 0.25, 0.05);
  EXPECT_LT(std::abs(report.ledger_error()), 1e-8);
  EXPECT_NE(error(R"(, "damping": {"energy_loss": 1.5})").find("energy_loss"), std::string::npos);
  EXPECT_NE(error(R"(, "damping": {"energy_loss": 0.5, "energy_target": 1})").find("both"),
            std::string::npos);
}

TEST_F(SceneConstraints, TheStableStepIsKnownBeforeTheRun) {
  const SceneFile avf = read("");
  EXPECT_EQ(Simulation(avf.scene).stable_step(), std::numeric_limits<double>::infinity());
  const SceneFile soft = read("", {"integrator.type=hp", "integrator.alpha=0"});
  const double bound = Simulation(soft.scene).stable_step();
  const SceneFile stiff = read("", {"integrator.type=symplectic_euler", "bodies.0.material.mu=200000",
                                    "bodies.0.material.lambda=100000"});
  EXPECT_NEAR(Simulation(stiff.scene).stable_step(), 0.1 * bound, 0.01 * bound);
  const SceneFile floor =
      read(R"(, "colliders": [{"shape": "plane", "stiffness": 1e6}])", {"integrator.type=symplectic_euler"});
  EXPECT_LT(Simulation(floor.scene).stable_step(), 0.5 * bound);
}

}  // namespace
}  // namespace verve
