// Rest shapes and stiffness that change during a run: plastic flow, growth and courses over time.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "base/Error.h"
#include "scene/SceneFile.h"
#include "simulation/Checkpoint.h"
#include "simulation/Simulation.h"
#include "term/PlasticFlow.h"

namespace verve {
namespace {

Mat3 some_gradient() {
  Mat3 f;
  f << 1.3, 0.2, -0.1, 0.05, 0.8, 0.3, 0.1, -0.2, 1.1;
  return f;
}

TEST(PlasticFlow, EndsAtTheYieldStressAndKeepsTheVolume) {
  for (double hardening : {0.0, 500.0}) {
    const PlasticLaw law{300.0, INFINITY, hardening};
    const double mu = 1000.0;
    PlasticState state;
    ASSERT_GT(mises_stress(some_gradient(), mu), law.yield) << "the strain must be large enough to yield";
    EXPECT_TRUE(flow(some_gradient(), mu, law, 0.01, state));
    EXPECT_NEAR(mises_stress(some_gradient() * state.inverse, mu), law.yield + hardening * state.strain,
                1e-9);
    EXPECT_NEAR(state.inverse.determinant(), 1.0, 1e-13);
    PlasticState below;
    EXPECT_FALSE(flow(some_gradient(), mu, {1e6, INFINITY, 0.0}, 0.01, below));
  }
}

TEST(PlasticFlow, CreepsAtTheSameRateInStepsOfAnySize) {
  const PlasticLaw law{100.0, 3.0, 200.0};
  PlasticState one, many;
  flow(some_gradient(), 1000.0, law, 0.5, one);
  for (int i = 0; i < 50; ++i) flow(some_gradient(), 1000.0, law, 0.01, many);
  EXPECT_NEAR(one.strain, many.strain, 1e-12);
  EXPECT_LE((one.inverse - many.inverse).norm(), 1e-12);
}

SceneFile scene(const std::string& body, double fps, const std::string& rest = "") {
  return make_scene("{\"quality\": \"exact\", \"fps\": " + std::to_string(fps) +
                        ", \"frames\": [1, 1000], \"bodies\": [" + body + "]" + rest + "}",
                    "test", {}, {});
}

const std::string bar = R"({"geometry": {"shape": "bar", "size": [1, 0.2, 0.2], "cells": [6, 2, 2]},
  "material": {"model": "MODEL", "young": 20000, "poisson": 0.3}, "density": 100, )";

std::string of(std::string body, const std::string& model) {
  body.replace(body.find("MODEL"), 5, model);
  return body;
}

/// Runs for so many seconds; the last report. The books close in every frame.
FrameReport run(const SceneFile& file, double seconds, Vector* x = nullptr) {
  Simulation simulation(file.scene);
  FrameReport report;
  const int frames = int(std::lround(seconds * file.scene.fps));
  double error = 0.0;
  for (int i = 0; i < frames; ++i) {
    report = simulation.advance();
    error = std::max(error, std::abs(report.ledger_error()));
  }
  EXPECT_LE(error, 1e-8);
  if (x) *x = simulation.state().x;
  return report;
}

// One end is bent down and let go; what stays is the plastic part.
const std::string bent = R"("pins": [{"box": [[-0.5, -1, -1], [-0.5, 1, 1]]},
  {"box": [[0.5, -1, -1], [0.5, 1, 1]], "motion": {"keys": [[0, {}], [0.5, {"translate": [-0.2, -0.5, 0], "rotate": [0, 0, -60]}]]},
   "until": 0.6}])";
const std::string calm = R"(, "damping": {"delta": 0.05, "eta": 2}, "gravity": [0, 0, 0])";

TEST(Plastic, WhatIsBentStaysBent) {
  Vector elastic, plastic;
  run(scene(of(bar, "stvk") + bent + "}", 24, calm), 4, &elastic);
  const FrameReport report =
      run(scene(of(bar, "stvk") + R"("plastic": {"yield": 1500}, )" + bent + "}", 24, calm), 4, &plastic);
  const Eigen::Index tip = plastic.size() - 2;
  EXPECT_NEAR(elastic[tip], 0.1, 0.01);
  EXPECT_LT(plastic[tip], -0.1);
  EXPECT_GT(report.ledger.dissipated, 0.0);
  EXPECT_EQ(report.inverted, 0);
}

TEST(Plastic, LooksTheSameAtEveryFrameRate) {
  for (const char* law : {"", R"("plastic": {"yield": 1500, "hardening": 2000}, )",
                          R"("plastic": {"yield": 500, "creep": 2}, )"}) {
    Vector x24, x240;
    const FrameReport a = run(scene(of(bar, "stvk") + law + bent + "}", 24, calm), 1, &x24);
    const FrameReport b = run(scene(of(bar, "stvk") + law + bent + "}", 240, calm), 1, &x240);
    EXPECT_NEAR(a.ledger.work, b.ledger.work, 0.03 * b.ledger.work) << law;
    EXPECT_NEAR(a.ledger.dissipated, b.ledger.dissipated, 0.03 * b.ledger.dissipated) << law;
    // What is elastic alone swings on, and a swing at one step a frame is slower than it is.
    if (*law) {
      EXPECT_LE((x24 - x240).cwiseAbs().maxCoeff(), 0.02) << law;
    }
  }
}

TEST(Plastic, ResumesToTheBit) {
  const SceneFile file =
      scene(of(bar, "stvk") +
                R"("plastic": {"yield": 1500, "creep": 20}, "rest_scale": {"keys": [[0, 1], [1, 1.2]]}, )" +
                bent + "}",
            24, calm);
  Simulation unbroken(file.scene), resumed(file.scene);
  for (int i = 0; i < 10; ++i) unbroken.advance();
  const Checkpoint saved = checkpoint_from(to_bytes({1, unbroken.frame(), unbroken.state()}));
  resumed.restore(saved.frame, saved.state);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(unbroken.advance().ledger_error(), resumed.advance().ledger_error());
  EXPECT_EQ(unbroken.state().x, resumed.state().x);
}

// Grows by half in a second, held at one end.
const std::string held = R"("pins": [{"box": [[-0.5, -1, -1], [-0.5, 1, 1]]}], )";

TEST(RestScale, GrowsTheSameAtEveryFrameRateAndBooksItsWork) {
  const std::string grows = R"("rest_scale": {"keys": [[0, 1], [1, 1.5]]}})";
  for (const std::string& body :
       {of(bar, "stvk") + held + grows,
        R"({"geometry": {"shape": "sheet", "size": [1, 1], "cells": [6, 6]}, "mass": 0.2,
                                      "material": {"model": "springs", "mu": 200}, "pins": [{"points": [0]}], )" +
            grows}) {
    Vector x24, x240;
    const FrameReport a = run(scene(body, 24, calm), 2, &x24), b = run(scene(body, 240, calm), 2, &x240);
    EXPECT_GT(x24.maxCoeff(), 0.9) << "it must have grown";
    EXPECT_NEAR(a.ledger.work, b.ledger.work, 0.03 * b.ledger.work);
    EXPECT_NEAR(a.ledger.dissipated, b.ledger.dissipated, 0.03 * b.ledger.work);
    EXPECT_LE((x24 - x240).cwiseAbs().maxCoeff(), 0.01);
  }
}

TEST(StiffnessScale, SoftensTheSameAtEveryFrameRateAndBooksItsWork) {
  const std::string softens = R"("settle": true, "stiffness_scale": {"keys": [[0, 1], [1, 0.5]]}})";
  const std::string damped = R"(, "damping": {"delta": 0.05, "eta": 2})";
  const FrameReport a = run(scene(of(bar, "stvk") + held + softens, 24, damped), 2);
  const FrameReport b = run(scene(of(bar, "stvk") + held + softens, 240, damped), 2);
  EXPECT_LT(b.ledger.work, 0.0) << "what is strained gives energy as it softens";
  EXPECT_NEAR(a.ledger.work, b.ledger.work, 0.03 * std::abs(b.ledger.work));
  EXPECT_NEAR(a.levels.total(), b.levels.total(), 0.03 * b.levels.elastic);
}

/// A square of 5 x 5 points whose attribute `stiffness` goes from one in frame 1 to `last` in frame 25.
std::shared_ptr<const FrameSource> painted(const std::function<double(const Vec3&)>& last) {
  std::vector<Geometry> frames;
  for (int f = 0; f < 25; ++f) {
    Geometry g;
    Vector x(3 * 25);
    std::vector<double> stiffness;
    for (int i = 0; i < 25; ++i) {
      point(x, i) = Vec3(i % 5 / 4.0, i / 5 / 4.0, 0.0);
      stiffness.push_back(1.0 + f / 24.0 * (last(point(x, i)) - 1.0));
    }
    g.set_positions(x);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        const int a = 5 * i + j;
        for (const auto& t : {std::array<int, 3>{a, a + 1, a + 6}, std::array<int, 3>{a, a + 6, a + 5}})
          g.add_primitive(PrimitiveType::Polygon, t);
      }
    g.add<double>(Owner::Point, "stiffness") = stiffness;
    frames.push_back(std::move(g));
  }
  return std::make_shared<GivenFrames>(std::move(frames), 1);
}

TEST(PaintedStiffness, OverTheFramesOfAFileIsWorkAndTheSameAtEveryStep) {
  const auto hung = [](const std::function<double(const Vec3&)>& last, const std::string& more, int steps) {
    SceneSources sources;
    sources.given["cloth"] = painted(last ? last : [](const Vec3&) { return 1.0; });
    const std::string animation = last ? R"(, "animation": "cloth")" : "";
    return make_scene(
        R"({"quality": "exact", "damping": {"delta": 0.05, "eta": 2}, "frames": [1, 1000], "substeps": )" +
            std::to_string(steps) + R"(, "bodies": [{"geometry": {"file": "cloth")" + animation +
            R"(}, "settle": true, "density": 1, "material": {"young": 500, "thickness": 0.1, "bend": 0.01}, )" +
            more + R"("pins": [{"box": [[-1, 0.99, -1], [2, 2, 1]]}]}]})",
        "test", sources, {});
  };
  // The same everywhere: as stiffness_scale has it.
  Vector one, other;
  run(hung([](const Vec3&) { return 0.5; }, "", 1), 1.5, &one);
  run(hung({}, R"("stiffness_scale": {"keys": [[0, 1], [1, 0.5]]}, )", 1), 1.5, &other);
  EXPECT_LE((one - other).cwiseAbs().maxCoeff(), 1e-9);
  // Softer to the right.
  const auto right = [](const Vec3& p) { return 1.0 - 0.7 * p[0]; };
  const FrameReport a = run(hung(right, "", 1), 2, &one), b = run(hung(right, "", 10), 2);
  EXPECT_LT(one[13], one[1] - 0.02) << "the soft corner hangs lower";
  EXPECT_LT(a.ledger.work, 0.0) << "what is strained gives energy as it softens";
  EXPECT_NEAR(a.ledger.work, b.ledger.work, 0.03 * std::abs(b.ledger.work));
}

TEST(Changing, SaysWhatMakesNoSense) {
  const auto complaint = [](const std::string& what) {
    try {
      const SceneFile file = scene(of(bar, "stvk") + what + "}", 24);
      Simulation simulation(file.scene);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(complaint(R"("plastic": {"yield": -1})").find("bodies[0].plastic.yield"), std::string::npos);
  EXPECT_NE(complaint(R"("plastic": {"creep": 1})").find("needs a 'yield'"), std::string::npos);
  EXPECT_NE(complaint(R"("rest_scale": {"keys": [[0, -1]]})").find("bodies[0].rest_scale.keys"),
            std::string::npos);
  EXPECT_NE(complaint(R"("stiffness_scale": 2)").find("bodies[0].stiffness_scale"), std::string::npos);
}

}  // namespace
}  // namespace verve
