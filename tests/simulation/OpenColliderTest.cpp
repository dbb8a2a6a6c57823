// Open meshes as colliders: they repel from the side that a point came from, whatever their winding, and keep
// the books.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "TemporaryFolder.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

enum class Winding { up, down, mixed };

/// A floor of 6 x 6 squares at height 0, as an .obj file.
void write_floor(const std::string& path, Winding winding) {
  std::ofstream file(path);
  constexpr int cells = 6;
  for (int i = 0; i <= cells; ++i)
    for (int k = 0; k <= cells; ++k) file << "v " << .5 * i - 1.5 << " 0 " << .5 * k - 1.5 << "\n";
  for (int i = 0; i < cells; ++i)
    for (int k = 0; k < cells; ++k) {
      const int a = 1 + i * (cells + 1) + k, b = a + 1, c = a + cells + 2, d = a + cells + 1;
      const bool down = winding == Winding::down || (winding == Winding::mixed && (7 * i + 3 * k) % 5 == 0);
      if (down)
        file << "f " << a << ' ' << d << ' ' << c << ' ' << b << "\n";
      else
        file << "f " << a << ' ' << b << ' ' << c << ' ' << d << "\n";
    }
}

struct Fall {
  double lowest = INFINITY, ledger = 0.0, centre = 0.0, deepest = 0.0;
};

/// A soft box that falls 0.55 m.
Fall fall(const std::string& collider, const std::string& substeps, const std::string& folder) {
  const std::string path = folder + "/scene.json";
  std::ofstream(path) << R"({"frames": [1, 30], "fps": 24, "quality": "exact", "substeps": )" << substeps
                      << R"(,
    "bodies": [{"geometry": {"shape": "box", "size": [0.5, 0.5, 0.5], "cells": [3, 3, 3]},
      "material": {"model": "stvk", "young": 60000, "poisson": 0.3}, "density": 100,
      "transform": {"translate": [0.03, 0.8, 0.02]}}],
    "colliders": [{)" << collider
                      << R"(, "stiffness": 2000}]})";
  const SceneFile file = read_scene(path);
  Simulation simulation(file.scene);
  Fall result;
  for (int f = 0; f < 29; ++f) {
    const FrameReport report = simulation.advance();
    result.ledger = std::max(result.ledger, std::abs(report.ledger_error()));
    result.deepest = std::max(result.deepest, report.penetration);
    for (int i = 0; i < simulation.system().points(); ++i)
      result.lowest = std::min(result.lowest, point(simulation.state().x, i)[1]);
  }
  for (int i = 0; i < simulation.system().points(); ++i)
    result.centre += point(simulation.state().x, i)[1] / simulation.system().points();
  return result;
}

TEST(OpenCollider, HoldsFromEitherSideWhateverItsWinding) {
  const TemporaryFolder folder;
  for (const std::string substeps : {"1", "\"auto\""}) {
    const Fall plane = fall(R"("shape": "plane", "normal": [0, 1, 0])", substeps, folder.path());
    EXPECT_GT(plane.deepest, 0.01);
    for (Winding winding : {Winding::up, Winding::down, Winding::mixed}) {
      write_floor(folder.path() + "/floor.obj", winding);
      const Fall mesh = fall(R"("file": "floor.obj")", substeps, folder.path());
      const std::string which = substeps + ", winding " + std::to_string(int(winding));
      // The tolerance of 1e-9 is what a thousand frames may add up to.
      EXPECT_LT(mesh.ledger, 1e-8) << which;
      // A flat floor is a plane, up to the tolerance's effect on the motion through one bounce.
      EXPECT_NEAR(mesh.lowest, plane.lowest, 1e-4) << which;
      EXPECT_NEAR(mesh.centre, plane.centre, 1e-3) << which;
      EXPECT_NEAR(mesh.deepest, -mesh.lowest, 0.05) << which;
    }
  }
}

TEST(OpenCollider, AFloorFarAboveIsNoPenetration) {
  const TemporaryFolder folder;
  for (Winding winding : {Winding::up, Winding::down}) {
    write_floor(folder.path() + "/floor.obj", winding);
    // The sheet is 0.45 m above the box's top, which falls away from it.
    const Fall away =
        fall(R"("file": "floor.obj", "transform": {"translate": [0, 1.5, 0]})", "\"auto\"", folder.path());
    const double seconds = 29.0 / 24.0;
    EXPECT_NEAR(away.centre, 0.8 - 0.5 * 9.81 * seconds * seconds, 1e-9);
    EXPECT_EQ(away.deepest, 0.0);
  }
}

}  // namespace
}  // namespace verve
