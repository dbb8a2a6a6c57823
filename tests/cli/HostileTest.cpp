// Names that mean something to shells, pages and paths are only names: nothing is executed, and nothing lands
// outside of the output folder.
#include <algorithm>
#include <filesystem>

#include "Clients.h"
#include "cli/Program.h"
#include "parameters/SceneCheck.h"

namespace verve::test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> hostile = {"a b",
                                          "it's",
                                          "say \"hi\"",
                                          "two\nlines",
                                          "$(touch owned)",
                                          "`touch owned`",
                                          "<script>alert(1)",
                                          "a;touch owned;",
                                          "käse 雪",
                                          "-rf",
                                          "%s%n%d",
                                          "$F4",
                                          "|touch owned"};

/// The names in a folder that its tests did not put there.
std::vector<std::string> entries(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name != ".stdout" && name != ".stderr") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string scene_named(const std::string& name) {
  Json scene = {
      {"frames", {1, 2}},
      {"bodies", Json::array({{{"name", name}, {"geometry", {{"shape", "bar"}, {"cells", {2, 1, 1}}}}}})},
      {"colliders", Json::array({{{"name", name}, {"shape", "plane"}, {"offset", -3}}})}};
  return scene.dump();
}

TEST(HostileNames, OfScenesBodiesAndFolders) {
  for (const std::string& name : hostile) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    const std::string scene = "./" + name + ".json", out = "./out " + name;
    write_text(folder / scene, scene_named(name));
    const Outcome run = verve_program(folder, {"run", scene, "--out", out});
    ASSERT_EQ(run.code, 0) << run.err;
    for (const std::vector<std::string>& words : {std::vector<std::string>{"info", out},
                                                  {"convert", out, "a.usda"},
                                                  {"view", out, "--png", "a.png"},
                                                  {"run", scene, "--out", out, "--resume"}}) {
      const Outcome outcome = verve_program(folder, words);
      EXPECT_EQ(outcome.code, 0) << words[0] << outcome.err;
    }
    const Outcome view = verve_program(folder, {"view", out});
    if (view.err.find("built without its page") == std::string::npos) {
      ASSERT_EQ(view.code, 0) << view.err;
      const std::string page = read_bytes(folder / (out + "/view.html"));
      EXPECT_EQ(page.find("<script>alert"), std::string::npos);
    }
    auto expected = std::vector<std::string>{name + ".json", "out " + name, "a.usda", "a.png"};
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(entries(folder.path()), expected);
    // The files of the cache are named after the scene, in plain letters.
    for (const std::string& file : entries(folder / out))
      for (char c : std::string("\n$'\"`;|<> %")) EXPECT_EQ(file.find(c), std::string::npos) << file;
  }
}

TEST(HostileNames, OfWedges) {
  for (const std::string& name : hostile) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    const std::string scene = "./" + name + ".json", out = "./out " + name;
    write_text(folder / scene, scene_named("body"));
    const std::string value = Json(name).dump();
    const Outcome run = verve_program(
        folder,
        {"wedge", scene, "--vary", "bodies[0].name=" + value + ",\"../../up\"", "--out", out, "--quiet"});
    ASSERT_EQ(run.code, 0) << run.err << run.out;
    EXPECT_EQ(verve_program(folder, {"wedge", "--status", out}).code, 0);
    auto expected = std::vector<std::string>{name + ".json", "out " + name};
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(entries(folder.path()), expected);
    for (const std::string& file : entries(folder / out))
      for (char c : std::string("\n$'\"`;|<> %")) EXPECT_EQ(file.find(c), std::string::npos) << file;
    // A table of one line a wedge, whatever their names hold.
    const bool page = run.out.find("compare them") != std::string::npos;
    EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), page ? 4 : 3) << run.out;
  }
}

TEST(HostileNames, CannotLeaveTheOutputFolder) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene_named("../../up"));
  for (const char* name : {"../up", "/tmp/up", "..", "a/b", "a\nb", "$(touch owned)"}) {
    const Outcome run =
        verve_program(folder, {"run", "s.json", "--out", "o", "--set", "output.name=" + Json(name).dump()});
    EXPECT_EQ(run.code, 2) << name;
    EXPECT_FALSE(fs::exists(folder / "o")) << name;
  }
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o"}).code, 0);
  EXPECT_EQ(entries(folder.path()), (std::vector<std::string>{"o", "s.json"}));
  // A plan that was tampered with reaches nothing outside of its folder.
  ASSERT_EQ(verve_program(folder, {"wedge", "s.json", "--vary", "substeps=1", "--out", "w", "--quiet"}).code,
            0);
  std::string plan = read_bytes(folder / "w/wedges.json");
  plan.replace(plan.find("001-substeps-1"), 14, "../o");
  write_text(folder / "w/wedges.json", plan);
  EXPECT_EQ(verve_program(folder, {"wedge", "--status", "w"}).code, 2);
}

TEST(HostileNames, OfAttributes) {
  const TemporaryFolder folder;
  // A cache made elsewhere, whose point attributes have such names.
  Json geo = Json::array({"pointcount", 3, "vertexcount", 3, "primitivecount", 1, "topology",
                          Json::array({"pointref", Json::array({"indices", {0, 1, 2}})})});
  Json attributes = Json::array();
  const auto add = [&](const std::string& name, int size, const Json& tuples) {
    attributes.push_back(Json::array(
        {Json::array({"scope", "public", "type", "numeric", "name", name, "options", Json::object()}),
         Json::array({"size", size, "storage", "fpreal32", "values",
                      Json::array({"size", size, "storage", "fpreal32", size == 1 ? "arrays" : "tuples",
                                   size == 1 ? Json::array({tuples}) : tuples})})}));
  };
  add("P", 3, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  for (const std::string& name : hostile) add(name, 1, {0, 1, 2});
  geo.insert(geo.end(),
             {"attributes", Json::array({"pointattributes", attributes}), "primitives",
              Json::array({Json::array(
                  {Json::array({"type", "Polygon_run"}),
                   Json::array({"startvertex", 0, "nprimitives", 1, "nvertices_rle", {3, 1}})})})});
  write_text(folder / "a.0001.geo", geo.dump());
  const Outcome info = verve_program(folder, {"info", "a.0001.geo"});
  ASSERT_EQ(info.code, 0) << info.err;
  const Outcome view = verve_program(folder, {"view", "a.0001.geo", "--out", "page.html"});
  if (view.err.find("built without its page") != std::string::npos)
    GTEST_SKIP() << "built without node and npm";
  ASSERT_EQ(view.code, 0) << view.err;
  const std::string page = read_bytes(folder / "page.html");
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("$(touch owned)"), std::string::npos);  // it is there, as a name
  EXPECT_EQ(entries(folder.path()), (std::vector<std::string>{"a.0001.geo", "page.html"}));
}

}  // namespace
}  // namespace verve::test
