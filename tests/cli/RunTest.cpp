// Scenes of every kind through the built program: files, report, scene.json, settings.
#include <cmath>

#include "cli/Program.h"

namespace verve::test {
namespace {

const char* const bar =
    R"({"geometry": {"shape": "bar", "size": [1, 0.2, 0.2], "cells": [4, 1, 1]},
        "material": {"model": "stvk", "mu": 4000, "lambda": 1000}, "mass": 1})";

/// Runs a scene for three frames and expects success, a frame file each and a sound report.
void expect_runs(const std::string& scene, const std::vector<std::string>& words = {}) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene);
  std::vector<std::string> all = {"run", "s.json", "--out", "o", "--quiet"};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = verve_program(folder, all);
  ASSERT_EQ(outcome.code, 0) << scene << outcome.err;
  EXPECT_EQ(outcome.out, "");
  for (int f = 1; f <= 3; ++f)
    EXPECT_TRUE(std::filesystem::exists(folder / ("o/s.000" + std::to_string(f) + ".bgeo.sc"))) << scene;
  const Report report(folder / "o/report.csv");
  const auto& c = report.columns;
  ASSERT_EQ(c.at("frame"), (std::vector<double>{1, 2, 3}));
  for (int f = 0; f < 3; ++f) {
    EXPECT_EQ(c.at("total")[f],
              c.at("kinetic")[f] + c.at("elastic")[f] + c.at("gravity")[f] + c.at("contact")[f]);
    EXPECT_NEAR(c.at("time")[f], f / 24.0, 1e-15);
    EXPECT_TRUE(std::isfinite(c.at("ledger_error")[f]));
  }
}

std::string with(const std::string& keys) {
  return scene_of(std::string(bar).insert(1, keys + ", "));
}

TEST(Run, EveryShape) {
  for (const char* geometry :
       {R"("shape": "bar", "cells": [3, 1, 1])", R"("shape": "box", "size": [1, 2, 1], "cells": [2, 2, 2])",
        R"("shape": "sheet", "size": [1, 1], "cells": [3, 3])", R"("shape": "disc", "radius": 1, "cells": 2)",
        R"("shape": "shell", "radius": 1, "cells": 2)",
        R"("shape": "rod", "length": 1, "thickness": 0.1, "cells": 4)",
        R"("shape": "sphere", "radius": 0.5, "spacing": 0.3)",
        R"("shape": "torus", "radius": 0.5, "tube": 0.2, "spacing": 0.2)",
        R"("shape": "hare", "height": 1, "spacing": 0.15)", R"("shape": "knot", "spacing": 0.2)",
        R"("shape": "blob", "size": 1, "spacing": 0.25)"})
    expect_runs(scene_of(std::string(R"({"geometry": {)") + geometry + "}}"));
}

TEST(Run, EveryMaterial) {
  for (const char* material :
       {R"("model": "stvk", "mu": 400, "lambda": 100)", R"("model": "neo_hookean", "young": 1e4)",
        R"("model": "stable_neo_hookean", "young": 1e4, "poisson": 0.3)", R"("model": "mooney_rivlin")"})
    expect_runs(scene_of(R"({"geometry": {"shape": "bar", "cells": [3, 1, 1]}, "material": {)" +
                         std::string(material) + "}, \"density\": 50}"));
  for (const char* model : {"springs", "hookean_springs"})
    for (const char* geometry : {R"("shape": "sheet", "cells": [3, 3])", R"("shape": "rod", "cells": 5)"})
      expect_runs(scene_of(R"({"geometry": {)" + std::string(geometry) + R"(}, "material": {"model": ")" +
                           model + R"(", "mu": 200, "bend": 1}})"));
}

TEST(Run, EveryKeyOfABody) {
  for (const char* keys :
       {R"("name": "beam", "transform": {"translate": [0, 1, 0], "rotate": [10, 20, 30], "scale": 2})",
        R"("transform": {"scale": [1, 2, 1]})", R"("velocity": [1, 0, 0], "angular_velocity": [0, 3, 0])",
        R"("stretch": 1.2, "twist": 0.5)", R"("pins": [{"box": [[-1, -1, -1], [-0.5, 1, 1]]}])",
        R"("pins": [{"points": [0, 1], "motion": {"keys": [[0, {}], [0.1, {"translate": [0, 1, 0]}]]}}])",
        R"("pins": [{"points": [0], "from": 0, "until": 0.05}])",
        R"("targets": [{"points": [0, 1], "stiffness": 10, "damping": 0.1}])",
        R"("forces": [{"force": [1, 0, 0]}, {"points": [0], "force": [0, 1, 0]}])"})
    expect_runs(with(keys));
}

TEST(Run, EveryIntegratorAndSolver) {
  for (const char* setting :
       {"integrator.type=avf", "integrator.type=hp", "integrator.type=backward_euler",
        "integrator.type=implicit_midpoint", "integrator.type=newmark", "integrator.type=bdf2",
        "integrator.type=bathe", "integrator.order=4", "integrator.quadrature=gauss2",
        "integrator.quadrature=gauss3", "integrator.quadrature=gauss8", "integrator.correction=local",
        "integrator.momentum=projected", "solver.linear=auto", "solver.linear=direct",
        "solver.linear=iterative", "solver.tolerance=1e-6", "gravity.1=-1", "gravity=[0,0,0]"})
    expect_runs(scene_of(bar), {"--set", setting});
  expect_runs(scene_of(bar), {"--set", "integrator.type=symplectic_euler", "--set", "substeps=50"});
}

TEST(Run, ReportBeginsWithThePromisedColumns) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene_of(bar));
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o"}).code, 0);
  const std::string promised =
      "frame,time,kinetic,elastic,gravity,contact,total,dissipated,work,ledger_error,raw_drift,px,py,pz,lx,"
      "ly,"
      "lz,newton_iterations,linear_iterations,factorizations,residual,inverted,contacts,seconds";
  const std::string header = Report(folder / "o/report.csv").header;
  EXPECT_EQ(header.substr(0, promised.size()), promised);
}

TEST(Run, SceneJsonGivesTheSameRun) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "in");
  write_text(folder / "in/m.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n");
  write_text(folder / "in/s.json", scene_of(std::string(bar) + R"(, {"geometry": {"file": "m.obj"}})"));
  ASSERT_EQ(verve_program(folder, {"run", "in/s.json", "--out", "o"}).code, 0);
  const Outcome again = verve_program(folder, {"run", "o/scene.json", "--out", "again"});
  ASSERT_EQ(again.code, 0) << again.err;
  for (const char* file : {"s.0001.bgeo.sc", "s.0003.bgeo.sc", "scene.json"})
    EXPECT_EQ(read_bytes(folder / ("o/" + std::string(file))),
              read_bytes(folder / ("again/" + std::string(file))));
}

TEST(Run, SettingsReachListEntriesBothWays) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene_of(bar));
  for (const char* key : {"bodies.0.mass=3", "bodies[0].mass=3"}) {
    ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--set", key}).code, 0);
    EXPECT_NE(read_bytes(folder / "o/scene.json").find("\"mass\": 3"), std::string::npos) << key;
  }
}

TEST(Run, FramesThreadsAndFormats) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene_of(bar));
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "p", "--frames", "2-3", "--threads", "1"}).code,
            0);
  EXPECT_FALSE(std::filesystem::exists(folder / "p/s.0001.bgeo.sc"));
  EXPECT_TRUE(std::filesystem::exists(folder / "p/s.0003.bgeo.sc"));
  for (const char* format : {"bgeo", "geo", "usda", "pc2", "mdd", "vtu", "obj"}) {
    const std::string f = format;
    const Outcome run = verve_program(folder, {"run", "s.json", "--out", f, "--set", "output.format=" + f});
    ASSERT_EQ(run.code, 0) << run.err;
    const Outcome info = verve_program(folder, {"info", f});
    EXPECT_EQ(info.code, 0) << f << info.err;
    EXPECT_NE(info.out.find("frames     3, 1 to 3 at 24"), std::string::npos) << f << info.out;
  }
}

TEST(Convert, FoldersSequencesAndMeshes) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene_of(bar, R"(, "fps": 30)"));
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o"}).code, 0);
  for (const auto& [in, out] : std::vector<std::pair<std::string, std::string>>{{"o", "a.usda"},
                                                                                {"o/s.$F4.bgeo.sc", "a.pc2"},
                                                                                {"a.usda", "b.$F4.vtu"},
                                                                                {"o/s.0001.bgeo.sc", "c.vtu"},
                                                                                {"c.vtu", "c.msh"},
                                                                                {"c.msh", "c.bgeo"},
                                                                                {"c.msh", "c.stl"}}) {
    const Outcome outcome = verve_program(folder, {"convert", in, out});
    EXPECT_EQ(outcome.code, 0) << in << " " << out << outcome.err;
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "b.0003.vtu"));
  EXPECT_NE(verve_program(folder, {"info", "a.usda"}).out.find("frames     3, 1 to 3 at 30"),
            std::string::npos);
  EXPECT_EQ(verve_program(folder, {"info", "o/checkpoint.verve"}).code, 0);
}

}  // namespace
}  // namespace verve::test
