// Scenes of every kind through the built program: files, report, scene.json, settings.
#include <array>
#include <cmath>
#include <csignal>

#include "cli/Program.h"
#include "parameters/SceneCheck.h"

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

TEST(Run, NeverOverwritesAnotherRunSilently) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene_of(bar));
  // The same scene gives the same frames, also if some of them only.
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--frames", "1-2"}).code, 0);
  EXPECT_EQ(verve_program(folder, {"run", "s.json", "--out", "o"}).code, 0);
  const std::string first = read_bytes(folder / "o/s.0003.bgeo.sc");
  EXPECT_EQ(verve_program(folder, {"run", "s.json", "--out", "o"}).code, 0);
  const std::vector<std::string> other = {"run", "s.json", "--out", "o", "--set", "gravity=[0,-1,0]"};
  const Outcome refused = verve_program(folder, other);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("o: holds the frames of another run; give --overwrite"), std::string::npos);
  EXPECT_EQ(read_bytes(folder / "o/s.0003.bgeo.sc"), first);
  std::vector<std::string> forced = other;
  forced.push_back("--overwrite");
  EXPECT_EQ(verve_program(folder, forced).code, 0);
  EXPECT_NE(read_bytes(folder / "o/s.0003.bgeo.sc"), first);
  // Frames that no scene.json explains are somebody's too.
  std::filesystem::create_directory(folder / "q");
  write_text(folder / "q/s.0001.bgeo.sc", "precious");
  EXPECT_EQ(verve_program(folder, {"run", "s.json", "--out", "q"}).code, 2);
  EXPECT_EQ(read_bytes(folder / "q/s.0001.bgeo.sc"), "precious");
}

TEST(Run, TakesANewFolderOfItsOwnAndSaysWhich) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene_of(bar));
  ASSERT_EQ(verve_program(folder, {"run", "s.json"}).code, 0);
  for (const char* mass : {"2", "3"}) {
    const std::string set = "bodies[0].mass=" + std::string(mass);
    const std::string name = "out/s-" + std::string(mass);
    const Outcome run = verve_program(folder, {"run", "s.json", "--set", set});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.err.find("these go to " + name), std::string::npos) << run.err;
    EXPECT_TRUE(std::filesystem::exists(folder / (name + "/s.0003.bgeo.sc")));
  }
}

TEST(Run, OwnMeshesAreShownByTheirSkinInAMaterialThatRecovers) {
  const TemporaryFolder folder;
  std::string obj = "vt 0 0\nvt 1 0\nvt 1 1\n";
  for (int i = 0; i < 8; ++i)
    obj +=
        "v " + std::to_string(i & 1) + " " + std::to_string(i >> 1 & 1) + " " + std::to_string(i >> 2) + "\n";
  const char* const faces[] = {"1 3 4", "1 4 2", "5 6 8", "5 8 7", "1 2 6", "1 6 5",
                               "3 7 8", "3 8 4", "1 5 7", "1 7 3", "2 4 8", "2 8 6"};
  const auto with_uv = [](std::string face) {
    std::istringstream words(face);
    std::string text = "f", word;
    for (int k = 1; words >> word; ++k) text += " " + word + "/" + std::to_string(k);
    return text + "\n";
  };
  for (const char* face : faces) obj += with_uv(face);
  write_text(folder / "cube.obj", obj);
  const Outcome run =
      verve_program(folder, {"run", "cube.obj", "--frames", "1-3", "--set", "output.format=obj"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("its surface is closed"), std::string::npos) << run.err;
  const std::string frame = read_bytes(folder / "out/cube/cube.0003.obj");
  // Twelve faces with their texture coordinates, and no cage.
  std::size_t found = 0;
  for (std::size_t at = 0; (at = frame.find("\nf ", at)) != std::string::npos; ++at) ++found;
  EXPECT_EQ(found, 12u) << frame;
  EXPECT_NE(frame.find("\nvt 1 1\n"), std::string::npos) << frame;
  EXPECT_NE(read_bytes(folder / "out/cube/scene.json").find("stable_neo_hookean"), std::string::npos);
  // Without one triangle it is not called closed.
  write_text(folder / "open.obj", obj.substr(0, obj.rfind("f ")));
  const Outcome open = verve_program(folder, {"run", "open.obj", "--frames", "1-1"});
  EXPECT_EQ(open.err.find("surface is closed"), std::string::npos) << open.err;
  // A fine flat grid has few open edges, and is cloth all the same.
  std::string grid;
  const int n = 40;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      grid += "v " + std::to_string(i * .1) + " 0 " + std::to_string(j * .1) + "\n";
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int a = i * (n + 1) + j + 1;
      grid += "f " + std::to_string(a) + " " + std::to_string(a + 1) + " " + std::to_string(a + n + 2) + " " +
              std::to_string(a + n + 1) + "\n";
    }
  write_text(folder / "grid.obj", grid);
  const Outcome cloth = verve_program(folder, {"run", "grid.obj", "--frames", "1-1"});
  EXPECT_EQ(cloth.code, 0) << cloth.err;
  EXPECT_NE(cloth.err.find("taken as cloth"), std::string::npos) << cloth.err;
}

TEST(Messages, HelpFindsKeysByTheirLastWordAndPicturesArePng) {
  const TemporaryFolder folder;
  const Outcome young = verve_program(folder, {"help", "young"});
  EXPECT_EQ(young.code, 0) << young.err;
  EXPECT_NE(young.out.find("bodies[].material.young"), std::string::npos) << young.out;
  write_text(folder / "s.json", scene_of(bar));
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o"}).code, 0);
  const Outcome jpg = verve_program(folder, {"view", "o", "--png", "a.jpg"});
  EXPECT_EQ(jpg.code, 2);
  EXPECT_NE(jpg.err.find("ends in .png"), std::string::npos) << jpg.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "a.jpg"));
  // The ending is refused before anything of the input is told.
  const Outcome ending = verve_program(folder, {"convert", "o/s.0001.bgeo.sc", "a.xyz"});
  EXPECT_EQ(ending.code, 2);
  EXPECT_EQ(ending.err.find("warning"), std::string::npos) << ending.err;
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

TEST(Run, OwnMeshesWithThinLimbsStandUprightAndEndWithASummary) {
  const TemporaryFolder folder;
  // A slab on four thin legs, with z up: it stands on z = 0.
  std::string obj;
  int first = 1;
  const auto box = [&](double x, double y, double z, double wide, double deep, double high) {
    for (int i = 0; i < 8; ++i)
      obj += "v " + std::to_string(x + wide * ((i & 1) - .5)) + " " +
             std::to_string(y + deep * ((i >> 1 & 1) - .5)) + " " + std::to_string(z + high * (i >> 2)) +
             "\n";
    for (const auto& f : {std::array<int, 4>{0, 2, 3, 1},
                          {4, 5, 7, 6},
                          {0, 1, 5, 4},
                          {2, 6, 7, 3},
                          {0, 4, 6, 2},
                          {1, 3, 7, 5}}) {
      obj += "f";
      for (int k : f) obj += " " + std::to_string(first + k);
      obj += "\n";
    }
    first += 8;
  };
  box(0, 0, .6, 1, .5, .2);
  for (double x : {-.4, .4})
    for (double y : {-.2, .2}) box(x, y, 0, .05, .05, .65);
  write_text(folder / "table.obj", obj);
  const Outcome run = verve_program(folder, {"run", "table.obj", "--frames", "1-4"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("stands on z = 0: z is taken as up"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("tets reach out of it there"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("separate pieces"), std::string::npos) << run.err;
  EXPECT_NE(run.out.find("4 frames in "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("; the slowest is frame "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("unaccounted for "), std::string::npos) << run.out;
  const Json scene = Json::parse(read_bytes(folder / "out/table/scene.json"));
  EXPECT_EQ(scene["bodies"][0]["transform"]["rotate"], Json({-90, 0, 0}));
  EXPECT_EQ(scene["contact"]["surface"], "skin");
  // The frames hold the skin; it is 0.8 m high and its feet are half its length above the floor.
  const Outcome info = verve_program(folder, {"info", "out/table/table.0001.bgeo.sc"});
  for (const char* line : {"points: 40\n", "size: 1 0.8 0.5\n", "centre: 0 0.9 0\n"})
    EXPECT_NE(info.out.find(line), std::string::npos) << line << info.out;
  // Said by hand, and refused where it would change nothing.
  EXPECT_EQ(verve_program(folder, {"run", "table.obj", "--up", "y"}).code, 2);
  const Outcome lying =
      verve_program(folder, {"run", "table.obj", "--up", "y", "--out", "lying", "--frames", "1-1"});
  ASSERT_EQ(lying.code, 0) << lying.err;
  EXPECT_EQ(Json::parse(read_bytes(folder / "lying/scene.json"))["bodies"][0]["transform"]["rotate"],
            Json({0, 0, 0}));
  write_text(folder / "s.json", scene_of(bar));
  EXPECT_EQ(verve_program(folder, {"run", "s.json", "--up", "z"}).code, 2);
}

TEST(Run, SaysBeforeALongRunHowLongItMayTake) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene_of(bar));
  Program run(folder.path(), {"run", "s.json", "--out", "o", "--frames", "1-1000000", "--quiet"});
  ASSERT_TRUE(run.wait_for(folder / "o/checkpoint.verve")) << run.wait().err;
  run.send(SIGINT);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_NE(outcome.err.find("for 999999 frames: this may take about "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("fewer --frames"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace verve::test
