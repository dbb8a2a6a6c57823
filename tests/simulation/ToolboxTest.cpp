// One shot in which bodies settle, begin free of sag, flow, grow, soften, are attached, tear off and are let
// go, a wire stays bent, and maps are painted anew in every frame.
#include <gtest/gtest.h>

#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

const std::string bodies = R"(
    {"name": "block", "geometry": {"shape": "box", "size": [0.6, 0.3, 0.6], "cells": [6, 3, 6]}, "material": {"model": "neo_hookean", "young": 30000, "poisson": 0.3}, "plastic": {"yield": 1500, "hardening": 2000}, "density": 200, "transform": {"translate": [0, 0.55, 0]}, "pins": [{"box": [[-1, 0.39, -1], [1, 0.41, 1]]}]},
    {"name": "bun", "settle": true, "geometry": {"shape": "sphere", "radius": 0.2, "spacing": 0.1}, "material": {"model": "stable_neo_hookean", "young": 8000, "poisson": 0.4}, "density": 100, "rest_scale": {"keys": [[0.25, 1], [2, 1.4]]}, "stiffness_scale": {"keys": [[0.25, 1], [2, 0.5]]}, "transform": {"translate": [1.2, 0.2, 0]}},
    {"name": "bar", "sag_free": true, "geometry": {"shape": "bar", "size": [0.8, 0.15, 0.15], "cells": [6, 2, 2]}, "material": {"model": "stable_neo_hookean", "young": 40000, "poisson": 0.35}, "density": 100, "transform": {"translate": [0, 1, 1.2]}, "pins": [{"box": [[-0.4, 0, -9], [-0.4, 2, 9]]}]},
    {"name": "curtain", "sag_free": true, "geometry": {"shape": "sheet", "size": [0.8, 0.8], "cells": [8, 8]}, "material": {"fabric": "cotton"}, "transform": {"translate": [-1.5, 1.2, 0], "rotate": [90, 0, 0]}, "pins": [{"box": [[-9, 1.599, -9], [9, 9, 9]], "until": 1.5}]},
    {"name": "flag", "geometry": {"shape": "sheet", "size": [0.6, 0.6], "cells": [8, 8]}, "material": {"model": "membrane", "young": 1000000.0, "thickness": 0.002, "bend": 0.001}, "plastic": {"yield": 2}, "density": 0.2, "transform": {"translate": [-0.4, 1.4, -1.2]}},
    {"name": "wire", "geometry": {"shape": "rod", "length": 0.6, "thickness": 0.01, "cells": 8}, "material": {"model": "rope", "stretch": 500, "bend": 0.02}, "plastic": {"yield": 1}, "density": 0.5, "transform": {"translate": [2, 1, 0]}, "pins": [{"box": [[1.69, 0, -1], [1.78, 2, 1]]}]},
    {"name": "mat", "geometry": {"file": "painted", "animation": "painted"}, "material": {"fabric": "cotton"}, "transform": {"translate": [-3, 0.3, 0]}}
)";
const std::string rest = R"(
  "attachments": [{"body": "flag", "box": [[-0.71, 1.39, -1.6], [-0.69, 1.41, -0.8]], "to": [-0.7, 1.6, -1.2], "stiffness": 100, "damping": 0.1, "break": 3}, {"body": "bar", "points": [0], "to": "ball", "stiffness": 50, "until": 1}],
  "colliders": [{"shape": "plane", "stiffness": 3000, "friction": 0.4}, {"name": "ball", "shape": "sphere", "center": [0, 1.0, 0], "radius": 0.2, "stiffness": 8000, "motion": {"keys": [[0, {}], [0.7, {"translate": [0, -0.3, 0]}], [1.4, {"translate": [0, 0.3, 0]}]]}}],
  "air": {}, "damping": {"delta": 0.005, "eta": 0.2})";

/// A mat that falls on the floor while its stiffness, size, damping, friction and pins change.
std::shared_ptr<const FrameSource> painted_mat() {
  constexpr int side = 5;
  Geometry mat;
  Vector x(3 * side * side);
  for (int i = 0; i < side * side; ++i) point(x, i) = Vec3(0.15 * (i % side), 0.0, 0.15 * (i / side));
  mat.set_positions(x);
  for (int i = 0; i + 1 < side; ++i)
    for (int j = 0; j + 1 < side; ++j) {
      const int a = side * i + j;
      mat.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{a, a + side, a + side + 1});
      mat.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{a, a + side + 1, a + 1});
    }
  std::vector<Geometry> frames;
  for (int f = 0; f < 45; ++f) {
    Geometry g = mat;
    const double share = f / 44.0;
    const auto paint = [&](const char* name, const auto& value) {
      std::vector<double>& values = g.add<double>(Owner::Point, name);
      for (int i = 0; i < side * side; ++i) values[std::size_t(i)] = value(i % side / double(side - 1));
    };
    paint("stiffness", [&](double u) { return 1.0 + share * u; });
    paint("restscale", [&](double u) { return 1.0 + 0.1 * share * u; });
    paint("dampingratio", [&](double u) { return 1.0 + share * (1.0 - u); });
    paint("friction", [&](double u) { return 1.0 - 0.5 * share * u; });
    paint("pintoanimation", [&](double u) { return double(u == 0.0 && f < 12); });
    frames.push_back(std::move(g));
  }
  return std::make_shared<GivenFrames>(std::move(frames), 1);
}

TEST(Toolbox, AllOfItInOneShotClosesItsBooks) {
  SceneSources sources;
  sources.given["painted"] = painted_mat();
  const SceneFile file = make_scene(
      R"({"quality": "exact", "fps": 24, "frames": [1, 45], "bodies": [)" + bodies + "], " + rest + "}",
      "test", sources, {});
  Simulation simulation(file.scene);
  EXPECT_TRUE(simulation.notes().empty()) << simulation.notes().front();
  double error = 0.0;
  FrameReport report;
  for (int i = 0; i < 44; ++i) {
    report = simulation.advance();
    error = std::max(error, std::abs(report.ledger_error()));
  }
  EXPECT_LE(error, 1e-8);
  EXPECT_NE(report.ledger.work, 0.0);
  EXPECT_GT(report.ledger.dissipated, 0.0);
}

}  // namespace
}  // namespace verve
