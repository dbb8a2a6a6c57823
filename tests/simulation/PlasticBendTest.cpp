// Bends that stay: membranes and ropes beyond their yield curvature.
#include <gtest/gtest.h>

#include "base/Error.h"
#include "scene/SceneFile.h"
#include "simulation/Checkpoint.h"
#include "simulation/Simulation.h"
#include "term/BendFlow.h"

namespace verve {
namespace {

TEST(BendFlow, EndsAtTheYieldCurvatureAndCreepsTheSameInStepsOfAnySize) {
  const double bent[3] = {3.0, -1.0, 2.0};
  const double size = std::sqrt(9.0 + 1.0 + 2.0);
  for (double hardening : {0.0, 0.5}) {
    double numbers[4] = {0.0, 0.0, 0.0, 0.0};
    EXPECT_TRUE(flow_curvature(bent, {1.0, INFINITY, hardening}, 0.01, numbers));
    EXPECT_NEAR(size - numbers[3], 1.0 + hardening * numbers[3], 1e-12);
    EXPECT_NEAR(numbers[0] / numbers[1], -3.0, 1e-12) << "it flows the way it is bent";
    double one[4] = {0.0, 0.0, 0.0, 0.0}, many[4] = {0.0, 0.0, 0.0, 0.0};
    const PlasticLaw creeps{1.0, 3.0, hardening};
    flow_curvature(bent, creeps, 0.5, one);
    for (int i = 0; i < 50; ++i) {
      const double left[3] = {bent[0] - many[0], bent[1] - many[1], bent[2] - many[2]};
      flow_curvature(left, creeps, 0.01, many);
    }
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(one[k], many[k], 1e-12);
  }
  double numbers[4] = {0.0, 0.0, 0.0, 0.0};
  EXPECT_FALSE(flow_curvature(bent, {4.0, INFINITY, 0.0}, 0.01, numbers));
}

std::string text(const Vec3& v) {
  return "[" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + "]";
}

/// The motion of one end of a strip that is bent to an arc of the curvature k within a second; the ends,
/// `held` long, stay straight.
std::string bending(double side, double length, double held, double k) {
  std::string keys;
  const double free = length - 2.0 * held;
  for (int i = 0; i <= 8; ++i) {
    double s = i / 8.0;
    s = s * s * (3.0 - 2.0 * s);
    const double angle = k * s * free, half = angle > 0.0 ? free * std::sin(angle / 2) / angle : free / 2;
    const double x = half + held / 2 * std::cos(angle / 2) - (free + held) / 2;
    keys += (i > 0 ? ", " : "") + std::string("[") + std::to_string(i / 8.0) +
            ", {\"translate\": " + text({side * x, -held / 2 * std::sin(angle / 2), 0.0}) +
            ", \"rotate\": " + text({0.0, 0.0, -side * angle * 90.0 / M_PI}) + "}]";
  }
  return "\"until\": 1.2, \"motion\": {\"keys\": [" + keys + "]}";
}

/// A strip of paper, a metre long, bent to a curvature of 4/m and let go.
SceneFile strip(const std::string& plastic, double fps, int substeps, int cells = 16) {
  const double held = 2.0 / cells;
  const auto end = [&](double side) {
    const double inner = 0.5 - 1.001 * held;
    return "{\"box\": [" + text({side < 0 ? -1.0 : inner, -1, -1}) + "," +
           text({side < 0 ? -inner : 1.0, 1, 1}) + "], " + bending(side, 1.0, held, 4.0) + "}";
  };
  return make_scene(
      "{\"quality\": \"exact\", \"gravity\": [0, 0, 0], \"damping\": {\"delta\": 0.002, \"eta\": 60}, "
      "\"fps\": " +
          std::to_string(fps) + ", \"substeps\": " + std::to_string(substeps) +
          ", \"frames\": [1, 1000], \"bodies\": [{\"name\": \"strip\", \"geometry\": {\"shape\": \"sheet\", "
          "\"size\": "
          "[1, 0.1], \"cells\": [" +
          std::to_string(cells) +
          ", 2]}, \"density\": 0.1, \"material\": {\"young\": 1e9, "
          "\"thickness\": 0.001, \"poisson\": 0}, " +
          plastic + "\"pins\": [" + end(-1) + ", " + end(1) + "]}]}",
      "test", {}, {});
}

/// The mean curvature of the strip's free middle, from the turn of its centre line.
double curvature(const Scene& scene, const Vector& x) {
  const std::vector<Vec3>& rest = scene.bodies[0].rest;
  std::map<long, std::pair<Vec3, int>> rows;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    auto& [sum, count] = rows.try_emplace(std::lround(rest[i][0] * 1e6), Vec3::Zero(), 0).first->second;
    sum += point(x, int(i)), ++count;
  }
  std::vector<Vec3> line;
  for (const auto& row : rows) line.push_back(row.second.first / row.second.second);
  const auto angle = [&](std::size_t i) {
    const Vec3 d = line[i + 1] - line[i];
    return std::atan2(d[1], d[0]);
  };
  const std::size_t from = line.size() / 4, to = line.size() - 2 - line.size() / 4;
  double length = 0.0;
  for (std::size_t i = from; i < to; ++i) length += 0.5 * (line[i + 2] - line[i]).norm();
  return (angle(from) - angle(to)) / length;
}

struct Outcome {
  FrameReport report;
  double bent = 0.0, left = 0.0;
};

/// Through the bend and three seconds more; the books close in every frame.
Outcome run(const SceneFile& file) {
  Simulation simulation(file.scene);
  Outcome result;
  double error = 0.0;
  for (int i = 0; i < int(4 * file.scene.fps); ++i) {
    result.report = simulation.advance();
    error = std::max(error, std::abs(result.report.ledger_error()));
    if (i + 1 == int(file.scene.fps)) result.bent = curvature(file.scene, simulation.state().x);
  }
  result.left = curvature(file.scene, simulation.state().x);
  EXPECT_LE(error, 1e-8);
  return result;
}

TEST(PlasticSheet, SpringsBackByWhatItsLawSays) {
  // Bent to k it keeps k - yield, or (k - yield) / (1 + hardening). Thick air keeps it from springing back
  // past that, which would bend it back.
  const Outcome elastic = run(strip("", 24, 4));
  EXPECT_NEAR(elastic.bent, 4.0, 4.0 / 12.0)
      << "the clamps take up to half of one of the twelve free cells each";
  EXPECT_NEAR(elastic.left, 0.0, 0.15);
  for (int cells : {16, 24}) {
    const Outcome plain = run(strip(R"("plastic": {"yield": 1}, )", 24, 4, cells));
    EXPECT_NEAR(plain.left, plain.bent - 1.0, 0.15) << cells;
    EXPECT_GT(plain.report.ledger.dissipated, 0.0);
  }
  const Outcome hard = run(strip(R"("plastic": {"yield": 1, "hardening": 1}, )", 24, 4));
  EXPECT_NEAR(hard.left, 0.5 * (hard.bent - 1.0), 0.15);
}

TEST(PlasticSheet, LooksTheSameAtEveryFrameRate) {
  // Four steps a frame at 24 frames a second: the hands turn the ends by up to 7 degrees a frame, and a stiff
  // sheet cannot follow a turn by a straight line of that length without being stretched.
  for (const char* law : {R"("plastic": {"yield": 1}, )", R"("plastic": {"yield": 1, "hardening": 1}, )",
                          R"("plastic": {"yield": 1, "creep": 2}, )"}) {
    const Outcome a = run(strip(law, 24, 4)), b = run(strip(law, 240, 1));
    EXPECT_NEAR(a.report.ledger.work, b.report.ledger.work, 0.03 * b.report.ledger.work) << law;
    EXPECT_NEAR(a.report.ledger.dissipated, b.report.ledger.dissipated, 0.03 * b.report.ledger.work) << law;
    EXPECT_NEAR(a.left, b.left, 0.15) << law;
  }
}

TEST(PlasticSheet, ResumesToTheBit) {
  const SceneFile file =
      strip(R"("plastic": {"yield": 1, "creep": 20}, "rest_scale": {"keys": [[0, 1], [1, 1.1]]}, )", 24, 1);
  Simulation unbroken(file.scene), resumed(file.scene);
  for (int i = 0; i < 15; ++i) unbroken.advance();
  const Checkpoint saved = checkpoint_from(to_bytes({1, unbroken.frame(), unbroken.state()}));
  resumed.restore(saved.frame, saved.state);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(unbroken.advance().ledger_error(), resumed.advance().ledger_error());
  EXPECT_EQ(unbroken.state().x, resumed.state().x);
}

TEST(PlasticRope, KeepsTheAngleBeyondItsYield) {
  // Three points of a rope are held at a right angle and let go.
  const SceneFile file =
      make_scene(R"({"quality": "exact", "gravity": [0, 0, 0], "damping": {"eta": 50}, "frames": [1, 145],
    "bodies": [{"geometry": {"shape": "rod", "length": 2, "cells": 2, "thickness": 0.02}, "mass": 0.1,
      "material": {"model": "springs", "mu": 100, "bend": 0.5}, "plastic": {"yield": 0.3},
      "pins": [{"points": [0], "until": 1, "motion": {"keys": [[0, {}], [0.8, {"translate": [0.2929, 0.7071, 0]}]]}},
               {"points": [1], "until": 1},
               {"points": [2], "until": 1, "motion": {"keys": [[0, {}], [0.8, {"translate": [-0.2929, 0.7071, 0]}]]}}]}]})",
                 "test", {}, {});
  Simulation simulation(file.scene);
  FrameReport report;
  for (int i = 0; i < 144; ++i) report = simulation.advance();
  const Vector& x = simulation.state().x;
  const Vec3 one = point(x, 1) - point(x, 0), two = point(x, 2) - point(x, 1);
  EXPECT_NEAR(std::acos(one.normalized().dot(two.normalized())), M_PI / 2 - 0.3, 0.02);
  EXPECT_GT(report.ledger.dissipated, 0.0);
  EXPECT_LE(std::abs(report.ledger_error()), 1e-8);
}

TEST(GrowingSheet, GrowsTheSameAtEveryFrameRateAndKeepsItsRadius) {
  // A shell that grows by a quarter is a shell with a radius larger by that.
  const std::string body = R"({"geometry": {"shape": "shell", "radius": 0.5, "cells": 6}, "density": 1,
    "material": {"young": 1e5, "thickness": 0.01}, "rest_scale": {"keys": [[0, 1], [1, 1.25]]}})";
  const auto grown = [&](double fps, double& size) {
    const SceneFile file =
        make_scene(R"({"quality": "exact", "gravity": [0, 0, 0], "damping": {"delta": 0.05, "eta": 2},
      "frames": [1, 1000], "fps": )" +
                       std::to_string(fps) + ", \"bodies\": [" + body + "]}",
                   "test", {}, {});
    Simulation simulation(file.scene);
    const auto spread = [&] {
      double most = 0.0;
      const Vector& x = simulation.state().x;
      for (int i = 0; i < x.size() / 3; ++i) most = std::max(most, (point(x, i) - point(x, 0)).norm());
      return most;
    };
    const double before = spread();
    FrameReport report;
    double error = 0.0;
    for (int i = 0; i < int(3 * fps); ++i) {
      report = simulation.advance();
      error = std::max(error, std::abs(report.ledger_error()));
    }
    EXPECT_LE(error, 1e-8);
    size = spread() / before;
    return report;
  };
  double at24 = 0.0, at240 = 0.0;
  const FrameReport a = grown(24, at24), b = grown(240, at240);
  EXPECT_NEAR(at24, 1.25, 1e-3);
  EXPECT_NEAR(at240, 1.25, 1e-3);
  EXPECT_NEAR(a.ledger.work, b.ledger.work, 0.03 * b.ledger.work);
}

TEST(PlasticSheet, SaysWhatMakesNoSense) {
  const auto complaint = [](const std::string& body) {
    try {
      const SceneFile file = make_scene(
          "{\"bodies\": [{\"name\": \"it\", \"geometry\": {\"shape\": \"sheet\", \"cells\": [4, 4]}, " +
              body + "}]}",
          "test", {}, {});
      Simulation simulation(file.scene);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(
      complaint(R"("material": {"model": "springs", "mu": 200}, "plastic": {"yield": 1})").find("body 'it'"),
      std::string::npos);
  EXPECT_NE(complaint(R"("plastic": {"yield": -1})").find("bodies[0].plastic.yield"), std::string::npos);
  EXPECT_NE(
      complaint(R"("material": {"fabric": "cotton", "limit": 0.1}, "rest_scale": {"keys": [[0, 1], [1, 2]]})")
          .find("strain limit"),
      std::string::npos);
}

}  // namespace
}  // namespace verve
