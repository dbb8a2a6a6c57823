// The page of a run: written by the program, opened in Chromium where there is one.
#include <filesystem>

#include "Clients.h"
#include "base/FileBytes.h"
#include "cli/Program.h"
#include "geometry/TetSurface.h"
#include "io/GeometryFile.h"
#include "io/SequenceFile.h"
#include "parameters/SceneCheck.h"

namespace verve::test {
namespace {

namespace fs = std::filesystem;

const char* const falling =
    R"({"frames": [1, 60], "fps": 30, "damping": {"delta": 0.01},
        "bodies": [{"name": "<script>alert(1)</script>", "geometry": {"shape": "box", "size": [0.6, 0.6, 0.6],
          "cells": [3, 3, 3]}, "material": {"young": 20000, "poisson": 0.3}, "density": 100,
          "velocity": [0.4, 0, 0], "angular_velocity": [0, 0, 4], "transform": {"translate": [0, 1.2, 0]}}],
        "colliders": [{"shape": "plane", "stiffness": 20000, "friction": 0.3},
                      {"shape": "sphere", "radius": 0.3, "center": [-1, 0.3, 0]}]})";

bool has_page(const TemporaryFolder& folder) {
  return verve_program(folder, {"view", "no-such-run"}).err.find("built without its page") ==
         std::string::npos;
}

bool has_chromium() {
  return runs("chromium --version") && runs("node --version") &&
         fs::exists(npm_folder() + "/node_modules/playwright-core");
}

int run_script(const std::string& script, const std::vector<std::string>& files) {
  std::string command = "timeout 240 node " + std::string(VERVE_TEST_CLIENTS) + "/" + script;
  for (const std::string& file : files) command += " " + file;
  return std::system(command.c_str());
}

/// What tests/clients/check_page.mjs compares with: the surface of every frame by the points it needs.
void write_truth(const std::string& cache, const std::string& path) {
  const auto frames = open_sequence(cache, nullptr);
  Json truth;
  for (std::size_t i = 0; i < frames->count(); ++i) {
    const Geometry g = frames->read(i);
    const auto& v = *g.find(Owner::Point, "v");
    std::vector<int> place(std::size_t(g.point_count), -1);
    Json frame = {{"points", Json::array()}, {"triangles", Json::array()}, {"speed", Json::array()}};
    const auto triangles = tet_surface(g);
    for (const auto& t : triangles)
      for (int point : t) place[std::size_t(point)] = 0;
    int count = 0;
    for (int point = 0; point < g.point_count; ++point) {
      if (place[std::size_t(point)] < 0) continue;
      place[std::size_t(point)] = count++;
      Vec3 speed;
      for (int k = 0; k < 3; ++k) {
        frame["points"].push_back(g.position(point)[k]);
        speed[k] = v.number(std::size_t(3 * point + k));
      }
      frame["speed"].push_back(speed.norm());
    }
    for (const auto& t : triangles)
      for (int point : t) frame["triangles"].push_back(place[std::size_t(point)]);
    truth[std::to_string(frames->frame(i))] = std::move(frame);
  }
  write_bytes(path, truth.dump());
}

TEST(Page, IsOneFileThatNamesCannotBreakOutOf) {
  const TemporaryFolder folder;
  if (!has_page(folder)) GTEST_SKIP() << "the program was built without node and npm";
  const std::string name = "</script><script>alert(1)</script>";
  fs::create_directories(folder / "a");
  write_text(folder / "s.json", falling);
  const std::string out = "a/<b onload='x'>&";
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", out, "--frames", "1-3", "--quiet"}).code, 0);
  const Outcome view = verve_program(folder, {"view", out, "--out", "page.html"});
  ASSERT_EQ(view.code, 0) << view.err;
  const std::string page = read_bytes(folder / "page.html");
  EXPECT_EQ(page.find("<b onload"), std::string::npos);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find(" src="), std::string::npos);
  EXPECT_NE(page.find("\"frames\":[1,2,3]"), std::string::npos);
}

TEST(Page, SwitchesBetweenTheSkinAndTheTetsThatCarryIt) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", R"({"frames": [1, 8], "output": {"surface": "skin", "tets": true},
      "bodies": [{"geometry": {"file": ")" VERVE_EXAMPLES
                                R"(/star.obj", "fill": true, "spacing": 0.12, "thicken": true},
                  "material": {"model": "stable_neo_hookean", "young": 20000}, "angular_velocity": [0, 0, 3]}]})");
  const Outcome run = verve_program(folder, {"run", "s.json", "--out", "out", "--frames", "1-5", "--quiet"});
  ASSERT_EQ(run.code, 0) << run.err;
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "out", "--resume", "--quiet"}).code, 0);
  const auto skin = open_sequence(folder / "out/s.$F4.bgeo.sc", nullptr);
  const auto tets = open_sequence(folder / "out/tets/s.$F4.bgeo.sc", nullptr);
  ASSERT_EQ(skin->count(), 8u);
  ASSERT_EQ(tets->count(), 8u) << "resumed as well";
  EXPECT_TRUE(tet_surface(skin->read(7)).empty());
  EXPECT_FALSE(tet_surface(tets->read(7)).empty());
  const Outcome refused = verve_program(folder, {"run", "s.json", "--set", "output.surface=cage"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("'output.tets' goes with 'output.surface' skin"), std::string::npos)
      << refused.err;
  if (!has_page(folder)) GTEST_SKIP() << "the program was built without node and npm";
  const Outcome view = verve_program(folder, {"view", "out", "--out", "page.html"});
  ASSERT_EQ(view.code, 0) << view.err;
  EXPECT_NE(view.out.find("1 run,"), std::string::npos) << view.out;
  EXPECT_NE(read_bytes(folder / "page.html").find("\"tetsOf\":0"), std::string::npos);
  write_truth(folder / "out/tets/s.$F4.bgeo.sc", folder / "truth.json");
  if (!has_chromium()) GTEST_SKIP() << "Chromium, node or playwright-core is missing";
  EXPECT_EQ(run_script("check_tets.mjs", {folder / "page.html", folder / "truth.json"}), 0);
}

/// The largest value of each quantity over the frames of a page's first block.
std::map<std::string, double> largest(const std::string& page) {
  const std::string text = read_bytes(page), mark = "id=\"about\">";
  const std::size_t begin = text.find(mark) + mark.size();
  const Json run = Json::parse(text.substr(begin, text.find("</script>", begin) - begin))["runs"][0];
  std::map<std::string, double> values;
  for (std::size_t q = 0; q < run["quantities"].size(); ++q)
    values[run["quantities"][q]["name"]] = run["blocks"][0]["ranges"][q][1];
  return values;
}

TEST(Page, WorksOutStressStrainSpeedAndContact) {
  const TemporaryFolder folder;
  if (!has_page(folder)) GTEST_SKIP() << "the program was built without node and npm";
  // A bar that is pulled to 1.2 times its length, flies at 5 m/s, and is 0.15 m deep in the floor.
  const double mu = 400, lambda = 100, s = 1.2;
  write_text(folder / "s.json",
             R"({"frames": [1, 1], "bodies": [{"geometry": {"shape": "bar", "size": [1, 0.3, 0.3],
      "cells": [4, 2, 2]}, "material": {"model": "stvk", "mu": 400, "lambda": 100}, "stretch": 1.2,
      "velocity": [3, 4, 0]}], "colliders": [{"shape": "plane"}]})");
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--quiet"}).code, 0);
  ASSERT_EQ(verve_program(folder, {"view", "o", "--out", "page.html"}).code, 0);
  const auto found = largest(folder / "page.html");
  // Green's strain has one entry, e; the stress of Piola and Kirchhoff follows, and J = s brings it to
  // Cauchy's.
  const double e = 0.5 * (s * s - 1), along = s * (lambda + 2 * mu) * e, across = lambda * e / s;
  const double rounding = 1e-5;  // positions and attributes of the cache are floats
  EXPECT_NEAR(found.at("stress"), along - across, rounding * (lambda + 2 * mu));
  EXPECT_NEAR(found.at("strain"), s - 1, rounding);
  EXPECT_NEAR(found.at("speed"), 5.0, 5 * rounding);
  EXPECT_NEAR(found.at("contact"), 0.15, rounding);
}

TEST(Page, RefusesWhatItCannotShow) {
  const TemporaryFolder folder;
  if (!has_page(folder)) GTEST_SKIP() << "the program was built without node and npm";
  write_text(folder / "s.json", falling);
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--frames", "1-2", "--quiet"}).code, 0);
  EXPECT_EQ(verve_program(folder, {"view", "gone"}).code, 2);
  EXPECT_EQ(verve_program(folder, {"view", "o", "--frame", "1"}).code, 2);
  EXPECT_EQ(verve_program(folder, {"view", "o", "--close"}).code, 2);
  EXPECT_EQ(verve_program(folder, {"view", "o", "o", "--png", "x.png"}).code, 2);
  EXPECT_EQ(verve_program(folder, {"view", "o", "--every", "0"}).code, 2);
  EXPECT_FALSE(fs::exists(folder / "o/view.html"));
}

/// Without anything else in the scene a picture of what is not drawn is nothing but sky.
TEST(ViewPicture, ShowsBodiesOfEveryKind) {
  for (const char* body : {R"("geometry": {"shape": "bar"})", R"("geometry": {"shape": "sheet"})",
                           R"("geometry": {"shape": "rod"}, "material": {"model": "springs"})"}) {
    const TemporaryFolder folder;
    write_text(folder / "s.json", R"({"frames": [1, 5], "bodies": [{)" + std::string(body) +
                                      R"(, "angular_velocity": [0, 0, 4]}]})");
    ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--quiet"}).code, 0);
    for (const char* frame : {"1", "5"}) {
      const Outcome drawn =
          verve_program(folder, {"view", "o", "--png", std::string(frame) + ".png", "--frame", frame});
      ASSERT_EQ(drawn.code, 0) << drawn.err;
    }
    EXPECT_NE(read_bytes(folder / "1.png"), read_bytes(folder / "5.png")) << body;
  }
}

TEST(Page, ChromiumShowsWhatTheCacheHolds) {
  const TemporaryFolder folder;
  if (!has_page(folder)) GTEST_SKIP() << "the program was built without node and npm";
  VERVE_NEEDS_CLIENT(has_chromium(), "Chromium or playwright-core (from npm) is not installed");
  write_text(folder / "s.json", falling);
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--quiet"}).code, 0);
  ASSERT_EQ(verve_program(folder, {"view", "o", "--out", "page.html"}).code, 0);
  write_truth(folder / "o/s.$F4.bgeo.sc", folder / "truth.json");
  EXPECT_EQ(run_script("check_page.mjs", {folder / "page.html", folder / "truth.json"}), 0);
}

TEST(Page, ChromiumShowsWhatFallsAlongZUpright) {
  const TemporaryFolder folder;
  if (!has_page(folder)) GTEST_SKIP() << "the program was built without node and npm";
  VERVE_NEEDS_CLIENT(has_chromium(), "Chromium or playwright-core (from npm) is not installed");
  write_text(
      folder / "s.json",
      R"({ "frames": [1, 8], "gravity": [0, 0, -9.81], "bodies": [ { "geometry": { "shape": "box" } } ] })");
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--quiet"}).code, 0);
  ASSERT_EQ(verve_program(folder, {"view", "o", "--out", "page.html"}).code, 0);
  write_truth(folder / "o/s.$F4.bgeo.sc", folder / "truth.json");
  EXPECT_EQ(run_script("check_upright.mjs", {folder / "page.html", folder / "truth.json"}), 0);
}

TEST(Page, ChromiumShowsSeveralRuns) {
  const TemporaryFolder folder;
  if (!has_page(folder)) GTEST_SKIP() << "the program was built without node and npm";
  VERVE_NEEDS_CLIENT(has_chromium(), "Chromium or playwright-core (from npm) is not installed");
  write_text(folder / "s.json", falling);
  for (const char* run : {"a", "b"}) {
    ASSERT_EQ(
        verve_program(folder, {"run", "s.json", "--out", run, "--frames", "1-20", "--quiet", "--set",
                               std::string("bodies[0].velocity=") + (*run == 'a' ? "[1,0,0]" : "[-1,1,0]")})
            .code,
        0);
    write_truth(folder / (std::string(run) + "/s.$F4.bgeo.sc"), folder / (std::string(run) + ".json"));
  }
  ASSERT_EQ(verve_program(folder, {"view", "a", "b", "--out", "page.html"}).code, 0);
  EXPECT_EQ(run_script("check_runs.mjs", {folder / "page.html", folder / "a.json", folder / "b.json"}), 0);
}

}  // namespace
}  // namespace verve::test
