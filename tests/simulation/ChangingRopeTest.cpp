// Ropes in SI units that bend for good, grow, soften, and begin as they were modelled.
#include <gtest/gtest.h>

#include "base/Error.h"
#include "scene/SceneFile.h"
#include "simulation/Checkpoint.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

std::string text(const Vec3& v) {
  return "[" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + "]";
}

/// A wire of a metre whose ends, two links each, are turned by the hands that hold them: within a second to
/// an arc of 4/m; after 1.2 seconds they let go.
SceneFile wire(const std::string& more, double fps, int substeps, int cells = 16) {
  const double held = 2.0 / cells, free = 1.0 - 2.0 * held;
  const auto end = [&](double side) {
    std::string keys;
    for (int i = 0; i <= 8; ++i) {
      double s = i / 8.0;
      s = s * s * (3.0 - 2.0 * s);
      const double angle = 4.0 * s * free, half = angle > 0.0 ? free * std::sin(angle / 2) / angle : free / 2;
      const double x = half + held / 2 * std::cos(angle / 2) - (free + held) / 2;
      keys += (i > 0 ? ", " : "") + std::string("[") + std::to_string(i / 8.0) +
              ", {\"translate\": " + text({side * x, -held / 2 * std::sin(angle / 2), 0.0}) +
              ", \"rotate\": " + text({0.0, 0.0, -side * angle * 90.0 / M_PI}) + "}]";
    }
    const double inner = 0.5 - 1.001 * held;
    return "{\"box\": [" + text({side < 0 ? -1.0 : inner, -1, -1}) + "," +
           text({side < 0 ? -inner : 1.0, 1, 1}) + "], \"until\": 1.2, \"motion\": {\"keys\": [" + keys +
           "]}}";
  };
  return make_scene(
      "{\"quality\": \"exact\", \"gravity\": [0, 0, 0], \"damping\": {\"delta\": 0.002, \"eta\": 60}, "
      "\"fps\": " +
          std::to_string(fps) + ", \"substeps\": " + std::to_string(substeps) +
          R"(, "frames": [1, 1000], "bodies": [{"name": "wire", "geometry": {"shape": "rod", "length": 1,
          "thickness": 0.01, "cells": )" +
          std::to_string(cells) +
          R"(}, "density": 0.002, "material": {"model": "rope", "stretch": 1000, "bend": 0.01}, )" + more +
          "\"pins\": [" + end(-1) + ", " + end(1) + "]}]}",
      "test", {}, {});
}

/// The mean curvature of the middle half.
double curvature(const Vector& x) {
  const int n = int(x.size() / 3), from = n / 4, to = n - 2 - n / 4;
  double turn = 0.0, length = 0.0;
  for (int i = from; i < to; ++i) {
    const Vec3 a = point(x, i + 1) - point(x, i), b = point(x, i + 2) - point(x, i + 1);
    turn += std::acos(std::clamp(a.normalized().dot(b.normalized()), -1.0, 1.0));
    length += 0.5 * (a + b).norm();
  }
  return turn / length;
}

struct Outcome {
  FrameReport report;
  double bent = 0.0, left = 0.0;
  Vector x;
};

/// Runs for so many seconds; the books close in every frame.
Outcome run(const SceneFile& file, double seconds = 4.0) {
  Simulation simulation(file.scene);
  Outcome o;
  double error = 0.0;
  for (int i = 0; i < int(std::lround(seconds * file.scene.fps)); ++i) {
    o.report = simulation.advance();
    error = std::max(error, std::abs(o.report.ledger_error()));
    if (i + 1 == int(file.scene.fps)) o.bent = curvature(simulation.state().x);
  }
  EXPECT_LE(error, 1e-8);
  o.x = simulation.state().x;
  o.left = curvature(o.x);
  return o;
}

TEST(ChangingRope, KeepsOfABendWhatItsLawSays) {
  const Outcome elastic = run(wire("", 24, 4));
  EXPECT_NEAR(elastic.left, 0.0, 0.15);
  for (int cells : {16, 24}) {
    const Outcome plain = run(wire(R"("plastic": {"yield": 1}, )", 24, 4, cells));
    EXPECT_NEAR(plain.left, plain.bent - 1.0, 0.15) << cells;
    EXPECT_GT(plain.report.ledger.dissipated, 0.0);
  }
  const Outcome hard = run(wire(R"("plastic": {"yield": 1, "hardening": 1}, )", 24, 4));
  EXPECT_NEAR(hard.left, 0.5 * (hard.bent - 1.0), 0.15);
}

TEST(ChangingRope, BendsForGoodAlikeAtEveryFrameRate) {
  for (const char* law :
       {R"("plastic": {"yield": 1, "hardening": 0.5}, )", R"("plastic": {"yield": 1, "creep": 2}, )"}) {
    const Outcome a = run(wire(law, 24, 4)), b = run(wire(law, 240, 1));
    EXPECT_NEAR(a.report.ledger.work, b.report.ledger.work, 0.03 * b.report.ledger.work) << law;
    EXPECT_NEAR(a.report.ledger.dissipated, b.report.ledger.dissipated, 0.03 * b.report.ledger.work) << law;
    EXPECT_NEAR(a.left, b.left, 0.15) << law;
  }
}

TEST(ChangingRope, ResumesToTheBit) {
  const SceneFile file =
      wire(R"("plastic": {"yield": 1, "creep": 20}, "rest_scale": {"keys": [[0, 1], [1, 1.1]]}, )", 24, 1);
  Simulation unbroken(file.scene), resumed(file.scene);
  for (int i = 0; i < 15; ++i) unbroken.advance();
  const Checkpoint saved = checkpoint_from(to_bytes({1, unbroken.frame(), unbroken.state()}));
  resumed.restore(saved.frame, saved.state);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(unbroken.advance().ledger_error(), resumed.advance().ledger_error());
  EXPECT_EQ(unbroken.state().x, resumed.state().x);
}

/// A rope that hangs from one end, and is drawn out by its own weight and a load.
SceneFile hanging(const std::string& more, double fps) {
  return make_scene(R"({"quality": "exact", "damping": {"delta": 0.05, "eta": 2}, "fps": )" +
                        std::to_string(fps) +
                        R"(, "frames": [1, 1000], "bodies": [{"geometry": {"shape": "rod", "length": 1,
      "thickness": 0.01, "cells": 10}, "transform": {"rotate": [0, 0, -90]}, "density": 0.5,
      "material": {"model": "rope", "stretch": 20, "bend": 0.01}, "settle": true, )" +
                        more + R"("pins": [{"points": [0]}]}]})",
                    "test", {}, {});
}

TEST(ChangingRope, GrowsAndSoftensAlikeAtEveryFrameRateAndKeepsItsEA) {
  // Half of its weight stretches it: rho g L^2 / (2 EA), before and after it grows, which leaves its weight.
  for (const char* change : {R"("rest_scale": {"keys": [[0, 1], [1, 1.5]]}, )",
                             R"("stiffness_scale": {"keys": [[0, 1], [1, 0.5]]}, )"}) {
    const Outcome a = run(hanging(change, 24)), b = run(hanging(change, 240));
    EXPECT_NEAR(a.report.ledger.work, b.report.ledger.work, 0.03 * std::abs(b.report.ledger.work)) << change;
    EXPECT_LE((a.x - b.x).cwiseAbs().maxCoeff(), 1e-3);
  }
  const auto length = [](const Outcome& o) { return (point(o.x, 10) - point(o.x, 0)).norm(); };
  const double before = length(run(hanging("", 24))),
               after = length(run(hanging(R"("rest_scale": {"keys": [[0, 1], [1, 1.5]]}, )", 24)));
  EXPECT_GT(before, 1.1) << "a soft rope";
  EXPECT_NEAR(after, 1.5 * before, 1e-4 * after) << "the same share of its length";
}

/// A bow of wire, a quarter of a circle or a swan's neck, held by two links at its foot.
SceneFile bow(double turn, double bend, const std::string& sag) {
  Geometry g;
  constexpr int links = 20;
  Vector x(3 * (links + 1));
  std::vector<int> corners;
  Vec3 p = Vec3::Zero();
  for (int i = 0; i <= links; ++i) {
    point(x, i) = p;
    corners.push_back(i);
    const double angle = M_PI / 2 - turn * i / links;
    p += Vec3(std::cos(angle), std::sin(angle), 0.0) / links;
  }
  g.set_positions(x);
  g.add_primitive(PrimitiveType::Polyline, corners);
  SceneSources sources;
  sources.given["bow"] = std::make_shared<GivenFrames>(std::vector<Geometry>{g}, 1);
  return make_scene(
      R"({"quality": "exact", "frames": [1, 101], "fps": 24, "bodies": [{"name": "bow", "geometry":
    {"file": "bow"}, "density": 0.05, "material": {"model": "rope", "stretch": 1000, "bend": )" +
          std::to_string(bend) + "}, " + sag + R"("pins": [{"points": [0, 1]}]}]})",
      "test", sources, {});
}

TEST(SagFreeRope, TheModelIsTheRest) {
  for (double turn : {M_PI / 2, 2.5}) {
    // Without it the bow sags by several hundredths of its length.
    Simulation sagging(bow(turn, 0.5, "\"settle\": true, ").scene);
    const Vector at_rest = sagging.state().x;
    const SceneFile file = bow(turn, 0.5, "\"sag_free\": true, ");
    Simulation simulation(file.scene);
    EXPECT_TRUE(simulation.notes().empty()) << simulation.notes().front();
    const Vector model = simulation.state().x;
    EXPECT_GT((at_rest - model).cwiseAbs().maxCoeff(), 0.03);
    const double elastic = simulation.report().levels.elastic;
    double most = 0.0, error = 0.0;
    for (int i = 0; i < 100; ++i) {
      const FrameReport report = simulation.advance();
      most = std::max(most, report.levels.kinetic);
      error = std::max(error, std::abs(report.ledger_error()));
    }
    EXPECT_LE(most, 1e-8 * elastic);
    EXPECT_LE(error, 1e-8);
    EXPECT_LE((simulation.state().x - model).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(SagFreeRope, SaysWhatCannotBeHad) {
  // A straight rope has no way to be bent at rest that would say upwards.
  const SceneFile file = make_scene(
      R"({"frames": [1, 10], "bodies": [{"name": "pole", "sag_free": true, "geometry": {"shape": "rod", "length": 1,
      "thickness": 0.01, "cells": 10}, "density": 0.5, "material": {"model": "rope", "stretch": 1000, "bend": 0.01},
      "pins": [{"points": [0, 1]}]}]})",
      "test", {}, {});
  Simulation simulation(file.scene);
  ASSERT_EQ(simulation.notes().size(), 1u);
  EXPECT_NE(simulation.notes()[0].find("body 'pole'"), std::string::npos) << simulation.notes()[0];
  try {
    const SceneFile limp = make_scene(
        R"({"bodies": [{"name": "string", "plastic": {"yield": 1}, "geometry": {"shape": "rod", "length": 1,
      "thickness": 0.01, "cells": 10}, "material": {"model": "rope", "stretch": 1000, "bend": 0}}]})",
        "test", {}, {});
    Simulation refused(limp.scene);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("body 'string': plastic is of bends"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace verve
