// Colliders whose points move: a sequence of files as the scene names it.
#include <gtest/gtest.h>

#include "TemporaryFolder.h"
#include "io/GeometryFile.h"
#include "io/GeometryMesh.h"
#include "mesh/Shapes.h"
#include "scene/AnimatedMesh.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

/// A sheet whose middle is `lift` metres up.
Geometry tent(double lift, int cells = 6) {
  MeshFile mesh;
  const TriangleMesh sheet = make_sheet({4, 4}, {cells, cells});
  mesh.points = sheet.points;
  mesh.triangles = sheet.triangles;
  for (Vec3& p : mesh.points) p[1] += lift * std::exp(-p.squaredNorm());
  return geometry_of(mesh);
}

TEST(AnimatedCollider, MovesStraightBetweenFramesAndIsHeldOutside) {
  const TemporaryFolder folder;
  write_geometry(folder / "tent.0003.bgeo.sc", tent(0.0));
  write_geometry(folder / "tent.0004.bgeo.sc", tent(0.5));
  const AnimatedMesh mesh = load_animated_mesh(folder / "tent.$F4.bgeo.sc", Vec3(1, 2, 1));
  std::vector<Vec3> points;
  const auto height = [&](double frame) {
    mesh.at(frame, points);
    double top = 0.0;
    for (const Vec3& p : points) top = std::max(top, p[1]);
    return top;
  };
  EXPECT_NEAR(height(1.0), 0.0, 1e-6);
  EXPECT_NEAR(height(3.25), 0.25, 1e-6);
  EXPECT_NEAR(height(9.0), 1.0, 1e-6);
}

TEST(AnimatedCollider, ThrowsABodyUpAndPaysForIt) {
  const TemporaryFolder folder;
  for (int f = 1; f <= 12; ++f)
    write_geometry(folder / ("tent." + std::string(f < 10 ? "000" : "00") + std::to_string(f) + ".bgeo.sc"),
                   tent(0.1 * std::max(0, f - 4)));
  std::ofstream(folder / "s.json") << R"({"frames": [1, 30], "fps": 30, "solver": {"tolerance": 1e-10},
    "bodies": [{"geometry": {"shape": "box", "size": [0.4, 0.4, 0.4], "cells": [2, 2, 2]},
                "material": {"mu": 4000, "lambda": 2000}, "mass": 1, "transform": {"translate": [0, 0.25, 0]}}],
    "colliders": [{"file": "tent.$F4.bgeo.sc", "stiffness": 5000, "thickness": 0.02}]})";
  const SceneFile file = read_scene(folder / "s.json");
  Simulation simulation(file.scene);
  FrameReport report;
  for (int i = 0; i < 20; ++i) report = simulation.advance();
  EXPECT_GT(report.ledger.work, 1.0) << "the tent lifts a kilogram by most of a metre";
  EXPECT_LT(std::abs(report.ledger_error()), 1e-8);
}

TEST(AnimatedCollider, AChangeOfTopologyNamesTheFrame) {
  const TemporaryFolder folder;
  write_geometry(folder / "tent.0001.bgeo.sc", tent(0.0));
  write_geometry(folder / "tent.0002.bgeo.sc", tent(0.0, 7));
  try {
    load_animated_mesh(folder / "tent.$F4.bgeo.sc", Vec3::Ones());
    FAIL() << "two frames of different meshes went through";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("frame 2"), std::string::npos) << error.what();
  }
}

TEST(AnimatedCollider, AttributesOfItsPointsMultiply) {
  const TemporaryFolder folder;
  Geometry geometry = tent(0.0);
  auto& friction = geometry.add<double>(Owner::Point, "friction");
  for (std::size_t i = 0; i < friction.size(); ++i) friction[i] = 0.5 + double(i);
  auto& stiffness = geometry.add<float>(Owner::Point, "stiffness");
  std::fill(stiffness.begin(), stiffness.end(), 3.0f);
  for (const char* name : {"tent.bgeo.sc", "tent.geo"}) {
    write_geometry(folder / name, geometry);
    const AnimatedMesh mesh = load_animated_mesh(folder / name, Vec3::Ones());
    EXPECT_EQ(mesh.attributes.friction, friction);
    EXPECT_EQ(mesh.attributes.stiffness, std::vector<double>(friction.size(), 3.0));
  }
  for (double bad : {-1.0, std::nan("")}) {
    friction[2] = bad;
    write_geometry(folder / "tent.bgeo.sc", geometry);
    try {
      load_animated_mesh(folder / "tent.bgeo.sc", Vec3::Ones());
      FAIL() << bad;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("tent.bgeo.sc"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("point 2"), std::string::npos) << error.what();
    }
  }
}

TEST(AnimatedCollider, EveryFrameCountsForTheCache) {
  const TemporaryFolder folder;
  std::ofstream(folder / "s.json") << R"({"frames": [1, 3], "bodies": [{"geometry": {"shape": "box"}}],
    "colliders": [{"file": "tent.$F4.bgeo.sc"}]})";
  const auto fingerprint = [&](double last) {
    for (int frame = 1; frame <= 3; ++frame)
      write_geometry(folder / ("tent.000" + std::to_string(frame) + ".bgeo.sc"),
                     tent(frame == 3 ? last : 0.0));
    return read_scene(folder / "s.json").fingerprint;
  };
  const auto first = fingerprint(0.1);
  EXPECT_EQ(first, fingerprint(0.1));
  EXPECT_NE(first, fingerprint(0.2));
}

}  // namespace
}  // namespace verve
