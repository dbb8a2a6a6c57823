// Real programs open what was written. Each test is skipped, and says so, where its program is not installed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "Clients.h"
#include "TemporaryFolder.h"
#include "io/SequenceWriter.h"

namespace verve {
namespace {

namespace fs = std::filesystem;
using test::runs;

constexpr int kFirst = 3, kLast = 9;

Geometry frame_of(int frame) {
  Geometry g;
  g.point_count = 12;
  auto& p = g.add<float>(Owner::Point, "P", 3, "point");
  auto& v = g.add<float>(Owner::Point, "v", 3, "vector");
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] = static_cast<float>(std::sin(0.7 * double(i)) + 0.1 * frame * double(i % 5));
    v[i] = static_cast<float>(frame) / static_cast<float>(i + 1);
  }
  g.add<float>(Owner::Point, "Cd", 3, "color")[5] = 0.5f;
  g.add<int>(Owner::Detail, "frame")[0] = frame;
  g.add_primitive(PrimitiveType::Tetrahedron, std::array<int, 4>{0, 1, 2, 3});
  g.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{4, 5, 6});
  g.add_primitive(PrimitiveType::Polygon, std::array<int, 5>{4, 5, 6, 7, 8});
  g.add_primitive(PrimitiveType::Polyline, std::array<int, 2>{0, 11});
  g.add<float>(Owner::Primitive, "stress")[2] = 3;
  return g;
}

/// A folder with the caches and with the positions of every frame as JSON.
class Clients : public testing::Test {
 protected:
  const TemporaryFolder folder;
  const fs::path scripts = fs::path(VERVE_TEST_CLIENTS);

  void write(const std::string& ending) {
    SequenceSettings settings;
    settings.folder = folder.path();
    settings.name = "run";
    settings.ending = ending;
    settings.first_frame = kFirst;
    SequenceWriter writer(settings);
    std::ofstream expected(folder / "expected.json");
    expected.precision(17);
    for (int frame = kFirst; frame <= kLast; ++frame) {
      const Geometry g = frame_of(frame);
      expected << (frame == kFirst ? "{\"" : ",\"") << frame << "\":";
      char separator = '[';
      for (const double x : g.positions()) {
        expected << separator << x;
        separator = ',';
      }
      expected << ']';
      writer.write(frame, g);
    }
    expected << "}\n";
    writer.finish();
  }
};

TEST_F(Clients, BlenderPlaysPointCachesWithoutAnyError) {
  VERVE_NEEDS_CLIENT(runs("blender --version"), "Blender is not installed");
  write("pc2");
  write("mdd");
  const std::string command = "blender -b --factory-startup --python " +
                              (scripts / "check_point_cache.py").string() + " -- " + folder / "expected.json";
  EXPECT_EQ(std::system((command + " " + (folder / "run.pc2") + " " + (folder / "run.mdd")).c_str()), 0);
}

TEST_F(Clients, MeshioReadsVtu) {
  const std::string python = runs("/usr/bin/python3 -c 'import meshio'") ? "/usr/bin/python3" : "python3";
  VERVE_NEEDS_CLIENT(runs(python + " -c 'import meshio'"), "meshio is not installed");
  write("vtu");
  const std::string command =
      python + " " + (scripts / "check_vtu.py").string() + " " + (folder / "expected.json");
  EXPECT_EQ(std::system((command + " 5 " + (folder / "run.0005.vtu")).c_str()), 0);
}

TEST_F(Clients, OpenUsdReadsEveryTimeSample) {
  const fs::path usd = fs::path(test::npm_folder()) / "node_modules/three-usdz-loader/external";
  VERVE_NEEDS_CLIENT(!test::npm_folder().empty() && fs::exists(usd) && runs("node --version"),
                     "OpenUSD (from npm) is not installed");
  write("usda");
  const std::string command = "cd " + usd.string() + " && NODE_OPTIONS='--require " +
                              (scripts / "usd_in_node.cjs").string() + "' timeout 120 node " +
                              (scripts / "check_usda.cjs").string() + " " + (folder / "expected.json");
  EXPECT_EQ(std::system((command + " " + (folder / "run.usda")).c_str()), 0);
}

}  // namespace
}  // namespace verve
