// Wrong words, wrong keys, wrong files: one line that names what is wrong, exit code 2, nothing written.
#include <algorithm>

#include "cli/Program.h"

namespace verve::test {
namespace {

const char* const bar = R"({"geometry": {"shape": "bar", "cells": [3, 1, 1]}})";

/// Expects exit code 2, one line on stderr with all of `parts` in it, and no file that was not there before.
void expect_refused(const TemporaryFolder& folder, const std::vector<std::string>& words,
                    const std::vector<std::string>& parts) {
  const auto files = [&] {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
      if (entry.path().filename() != ".stdout" && entry.path().filename() != ".stderr")
        names.push_back(entry.path().string());
    std::sort(names.begin(), names.end());
    return names;
  };
  std::string line;
  for (const std::string& word : words) line += word + " ";
  const auto before = files();
  const Outcome outcome = verve_program(folder, words);
  EXPECT_EQ(outcome.code, 2) << line << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << line << outcome.err;
  EXPECT_EQ(outcome.err.rfind("verve: ", 0), 0u) << outcome.err;
  EXPECT_LT(outcome.err.size(), 600u) << outcome.err;
  for (const std::string& part : parts)
    EXPECT_NE(outcome.err.find(part), std::string::npos) << line << "\nwants " << part << "\n" << outcome.err;
  EXPECT_EQ(files(), before) << line;
}

void expect_scene_refused(const std::string& scene, const std::vector<std::string>& parts,
                          const std::vector<std::string>& words = {}) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene);
  std::vector<std::string> all = {"run", "s.json", "--out", "o"};
  all.insert(all.end(), words.begin(), words.end());
  expect_refused(folder, all, parts);
}

/// A setting on a good scene is refused with a message that names the key.
void expect_setting_refused(const std::string& setting, const std::vector<std::string>& parts) {
  SCOPED_TRACE(setting);
  expect_scene_refused(scene_of(bar), parts, {"--set", setting});
}

void expect_mesh_refused(const std::string& name, const std::string& text,
                         const std::vector<std::string>& parts) {
  SCOPED_TRACE(parts.empty() ? name : parts[0]);
  const TemporaryFolder folder;
  write_text(folder / name, text);
  write_text(folder / "s.json", scene_of(R"({"geometry": {"file": ")" + name + "\"}}"));
  std::vector<std::string> all = parts;
  all.push_back(name);
  expect_refused(folder, {"run", "s.json", "--out", "o"}, all);
}

/// Gmsh 2 with these nodes and tets.
std::string msh(const std::vector<std::string>& nodes, const std::vector<std::string>& tets) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(nodes.size()) + "\n";
  for (std::size_t i = 0; i < nodes.size(); ++i) text += std::to_string(i + 1) + " " + nodes[i] + "\n";
  text += "$EndNodes\n$Elements\n" + std::to_string(tets.size()) + "\n";
  for (std::size_t i = 0; i < tets.size(); ++i) text += std::to_string(i + 1) + " 4 2 0 1 " + tets[i] + "\n";
  return text + "$EndElements\n";
}

const std::vector<std::string> corners = {"0 0 0", "1 0 0", "0 1 0", "0 0 1", "1 1 1"};

TEST(BadInput, Meshes) {
  const std::string good = "1 2 3 4", other = "2 3 4 5";
  auto nodes = corners;
  nodes[4] = "nan 0 0";
  expect_mesh_refused("nan.msh", msh(nodes, {good, other}), {});
  nodes[4] = "inf 0 0";
  expect_mesh_refused("inf.msh", msh(nodes, {good, other}), {});
  nodes[4] = "1e999 0 0";
  expect_mesh_refused("huge.msh", msh(nodes, {good, other}), {});
  expect_mesh_refused("inverted.msh", msh(corners, {good, "3 2 4 5"}), {"tet"});
  nodes[4] = "1 1 -1";  // in the plane of 2, 3 and 4
  expect_mesh_refused("flat.msh", msh(nodes, {good, other}), {"tet 1"});
  expect_mesh_refused("double.msh", msh(corners, {good, other, good}), {"tet"});
  expect_mesh_refused("range.msh", msh(corners, {good, "2 3 4 99"}), {"99"});
  expect_mesh_refused("unused.msh", msh(corners, {good}), {"point 4"});
  expect_mesh_refused("empty.msh", msh({}, {}), {});
  expect_mesh_refused("none.msh", msh(corners, {}), {});
  expect_mesh_refused("cut.msh", msh(corners, {good, other}).substr(0, 90), {});
  expect_mesh_refused("junk.msh", std::string("\x01\x02\xff\x00\x7f\x80junk\n\n", 12), {});
  expect_mesh_refused("zero.msh", "", {});
  expect_mesh_refused("alien.xyz", "0 0 0", {".msh"});
  expect_mesh_refused("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 0 1\nf 1 2 3\n", {});
  expect_mesh_refused("range.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 9\n", {"range.obj", "3 points"});
}

TEST(BadInput, MissingFilesAndFolders) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "d.msh");
  for (const char* file : {"gone.msh", "d.msh", ""}) {
    write_text(folder / "s.json", scene_of(R"({"geometry": {"file": ")" + std::string(file) + "\"}}"));
    expect_refused(folder, {"run", "s.json", "--out", "o"}, {file});
  }
  for (const char* command : {"run", "info"}) {
    expect_refused(folder, {command, "gone.json"}, {"gone.json"});
    expect_refused(folder, {command, "d.msh"}, {"d.msh"});
  }
  expect_refused(folder, {"convert", "gone.bgeo", "x.obj"}, {"gone.bgeo"});
  expect_refused(folder, {"convert", "s.json", "x.obj"}, {"s.json"});
  expect_refused(folder, {"mesh", "gone.obj", "x.msh", "--size", "1"}, {"gone.obj"});
}

TEST(BadInput, AlienScenes) {
  const std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  for (const std::string& text :
       {png, std::string(), std::string(" \n"), std::string("[]"), std::string("42"), std::string("{"),
        std::string("{\"frames\": [1, }"), std::string(2000000, '['), std::string("{\"fps\": 1e999}"),
        std::string("{\"fps\": \"\xff\xfe\"}"), std::string("\0\0\0\0", 4)})
    expect_scene_refused(text, {"s.json"});
  expect_scene_refused(R"({"fps": 24, "fps": 25})", {"'fps'", "twice"});
  expect_scene_refused("{}", {"bodies"});
}

TEST(BadInput, Values) {
  for (const char* setting : {"fps=0",
                              "fps=-1",
                              "fps=1e300",
                              "fps=fast",
                              "substeps=0",
                              "substeps=-1",
                              "substeps=1.5",
                              "substeps=1e9",
                              "frames=[5,1]",
                              "frames=[1.5,2]",
                              "frames=7",
                              "frames=[1,1e30]",
                              "gravity=[0,1]",
                              "gravity=down",
                              "solver.tolerance=0",
                              "solver.tolerance=-1",
                              "solver.max_iterations=0",
                              "integrator.order=3",
                              "bodies.0.mass=0",
                              "bodies.0.mass=-1",
                              "bodies.0.mass=heavy",
                              "bodies.0.density=0",
                              "bodies.0.density=-2",
                              "bodies.0.material.mu=0",
                              "bodies.0.material.mu=-5",
                              "bodies.0.material.young=0",
                              "bodies.0.material.young=-1",
                              "bodies.0.material.poisson=0.5",
                              "bodies.0.material.poisson=0.6",
                              "bodies.0.material.poisson=-1",
                              "bodies.0.stretch=0",
                              "bodies.0.transform.scale=0",
                              "bodies.0.transform.scale=[1,-1,1]",
                              "bodies.0.transform=here",
                              "bodies.0.geometry.cells=[1,0,1]",
                              "bodies.0.geometry.cells=[1000000000,1000000000,1000000000]",
                              "bodies.0.geometry.cells=[1.5,1,1]",
                              "bodies.0.geometry.size=[1,-1,1]",
                              "bodies.0.geometry.radius=1",
                              "bodies.0.geometry.size=[1,0,1]",
                              "bodies.0=5",
                              "bodies=[]",
                              "bodies={}",
                              "output.every=0",
                              "output.checkpoint_every=-1",
                              "output.name=\"../up\"",
                              "output=1"}) {
    const std::string key = std::string(setting).substr(0, std::string(setting).find('='));
    expect_setting_refused(
        setting, {"s.json", key.substr(key.rfind('.') == std::string::npos ? 0 : key.rfind('.') + 1)});
  }
}

TEST(BadInput, Contradictions) {
  const auto body = [](const std::string& keys) { return scene_of(std::string(bar).insert(1, keys + ", ")); };
  expect_scene_refused(body(R"("mass": 1, "density": 1)"), {"bodies[0]", "mass", "density"});
  expect_scene_refused(body(R"("material": {"mu": 1, "young": 1})"), {"bodies[0].material"});
  expect_scene_refused(body(R"("material": {"lambda": 1})"), {"lambda", "mu"});
  expect_scene_refused(body(R"("material": {"mu": 1, "lambda": -1})"), {"lambda"});
  expect_scene_refused(scene_of(R"({"geometry": {"shape": "rod", "cells": 1000000000},
                                   "material": {"model": "springs"}})"),
                       {"rod", "cells"});
  expect_scene_refused(body(R"("material": {"model": "neo_hookean", "mu": 1, "lambda": -0.1})"),
                       {"body0", "lambda"});
  expect_scene_refused(body(R"("material": {"model": "springs"})"), {"springs"});
  expect_scene_refused(body(R"("pins": [{"box": [[5, 5, 5], [6, 6, 6]]}])"),
                       {"bodies[0].pins[0].box", "reaches from [-0.5, -0.1, -0.1] to [0.5, 0.1, 0.1]"});
  expect_scene_refused(body(R"("pins": [{"box": [[1, 0, 0], [0, 1, 1]]}])"), {"pins[0].box"});
  expect_scene_refused(body(R"("pins": [{"points": [999]}])"), {"pins[0].points", "999"});
  expect_scene_refused(body(R"("pins": [{"points": []}])"), {"pins[0]"});
  expect_scene_refused(body(R"("pins": [{}])"), {"pins[0]"});
  expect_scene_refused(body(R"("pins": [{"points": [0], "from": 2, "until": 1}])"), {"until"});
  expect_scene_refused(body(R"("pins": [{"points": [0], "motion": {"keys": []}}])"), {"motion"});
  expect_scene_refused(body(R"("targets": [{"points": [0], "stiffness": -1}])"), {"stiffness"});
  for (const char* extra : {"integrator.correction=local", "integrator.momentum=projected",
                            "integrator.order=4", "integrator.order=5"}) {
    SCOPED_TRACE(extra);
    expect_scene_refused(scene_of(bar), {"s.json", "integrator."},
                         {"--set", "integrator.type=backward_euler", "--set", extra});
  }
}

TEST(BadInput, WordsAndTheirNearest) {
  expect_scene_refused(scene_of(bar, R"(, "integratr": {})"), {"'integratr'", "'integrator'"});
  expect_scene_refused(scene_of(std::string(bar).insert(1, R"("masss": 1, )")),
                       {"bodies[0].masss", "'mass'"});
  expect_setting_refused("damping.detla=1", {"'damping.delta'"});
  expect_setting_refused("integrator.typ=avf", {"'integrator.typ'", "'integrator.type'"});
  expect_setting_refused("integrtor.type=avf", {"'integrator.type'"});
  expect_setting_refused("type=avf", {"'integrator.type'"});
  expect_setting_refused("bodies[0].masss=1", {"'bodies.0.mass'"});
  expect_setting_refused("bodies.7.mass=1", {"'7'", "it has 1"});
  expect_setting_refused("integrator.type=avv", {"'avv'", "'avf'"});
  expect_setting_refused("output.format=bgeosc", {"'bgeo.sc'"});
  expect_setting_refused("nonsense", {"key.path=value"});
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene_of(bar));
  expect_refused(folder, {"rum", "s.json"}, {"'rum'", "'run'"});
  expect_refused(folder, {"run", "s.json", "--quite"}, {"'--quite'", "'--quiet'"});
  expect_refused(folder, {"run"}, {"scene"});
  expect_refused(folder, {"run", "s.json", "--threads", "-3"}, {"--threads"});
  for (const char* frames : {"5-1", "x", "1-", "1-99999999999", "-9-3"})
    expect_refused(folder, {"run", "s.json", "--frames", frames}, {"--frames"});
}

TEST(BadInput, FoldersThatCannotBeWritten) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene_of(bar));
  expect_refused(folder, {"run", "s.json", "--out", "/proc/verve"}, {"/proc/verve"});
  expect_refused(folder, {"run", "s.json", "--out", "s.json"}, {"s.json"});
  expect_refused(folder, {"convert", "s.json", "x.unknown"}, {"unknown"});
}

TEST(Help, AloneAndForEveryCommand) {
  const TemporaryFolder folder;
  const Outcome alone = verve_program(folder, {});
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("verve run"), std::string::npos);
  for (const char* command :
       {"run", "view", "wedge", "info", "convert", "mesh", "params", "help", "completion"}) {
    const Outcome help = verve_program(folder, {command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("Example"), std::string::npos) << command;
  }
  EXPECT_EQ(verve_program(folder, {"--version"}).out.rfind("verve ", 0), 0u);
  EXPECT_EQ(verve_program(folder, {"params", "--json"}).out.front(), '[');
}

}  // namespace
}  // namespace verve::test
