// What artists reach for first: materials by name, quality, a floor; and Vellum's constraints in the second
// input.
#include <gtest/gtest.h>

#include "node/NodeScenes.h"
#include "parameters/NodeParameters.h"

namespace verve {
namespace {

using test::Host;
using test::number;
using test::word;

TEST(Quick, MaterialsByNameStandForNumbers) {
  const NodeSettings rubber = node_settings({{"softpreset", word("rubber")}});
  const NodeSettings same = node_settings({{"young", number(1e6)},
                                           {"youngexp", word("0")},
                                           {"poisson", number(.48)},
                                           {"tetdensity", number(1100)}});
  EXPECT_EQ(rubber.materials.lame.mu, same.materials.lame.mu);
  EXPECT_EQ(rubber.materials.lame.lambda, same.materials.lame.lambda);
  EXPECT_EQ(rubber.materials.tet_density, same.materials.tet_density);
  // What the name stands in the place of does not count: it begins nothing anew.
  const NodeSettings other =
      node_settings({{"softpreset", word("rubber")}, {"young", number(7)}, {"youngexp", word("0")}});
  EXPECT_EQ(rubber.fingerprint, other.fingerprint);
  EXPECT_NE(rubber.fingerprint, node_settings({{"softpreset", word("jelly")}}).fingerprint);
  EXPECT_THROW(node_settings({{"softpreset", word("ruber")}}), Error);
}

TEST(Quick, TheQuickTabComesFirstAndIntegratorsUnderAdvanced) {
  std::vector<std::string> tabs;
  for (const DialogEntry& entry : dialog_entries()) {
    if (tabs.empty() || tabs.back() != entry.tab) tabs.push_back(entry.tab);
    const std::string folder = entry.parameter->folder();
    if (folder == "integrator" || folder == "solver") {
      EXPECT_EQ(entry.tab, "Advanced") << entry.parm;
    }
  }
  ASSERT_GT(tabs.size(), 3u);
  EXPECT_EQ(tabs[1], "Quick") << "above all tabs stand start frame and steps";
  EXPECT_EQ(tabs.back(), "Advanced");
}

TEST(Quick, AGroundPlaneNeedsNoCollider) {
  Host host;
  const auto lowest = [&](double on, double height, int frame) {
    host.values = [=](int) {
      return NodeValues{{"groundplane", number(on)},
                        {"groundheight", number(height)},
                        {"young", number(2e5)},
                        {"youngexp", word("0")}};
    };
    SolverNode node;
    const Geometry g = node.cook(frame, host.source()).geometry;
    double low = 1e9;
    for (int i = 0; i < g.point_count; ++i) low = std::min(low, g.position(i)[1]);
    return low;
  };
  EXPECT_LT(lowest(0, -.5, 20), -1) << "without it the block falls";
  EXPECT_NEAR(lowest(1, -.5, 20), -.5, .15);
  EXPECT_GT(lowest(1, -.5, 20), -.6);
  EXPECT_GT(lowest(1, -.2, 20), -.3);
}

TEST(Quick, ColoursShowStressContactAndPins) {
  Host host;
  host.bodies = [](int) {
    Geometry geometry = test::block();
    test::mark_left(geometry, "stopped", -.49);
    return geometry;
  };
  const auto shown = [&](const char* by, double to = 0) {
    host.values = [=](int) { return NodeValues{{"colorby", word(by)}, {"colorto", number(to)}}; };
    SolverNode node;
    return node.cook(6, host.source()).geometry;
  };
  EXPECT_EQ(shown("none").find(Owner::Point, "Cd"), nullptr);
  const Geometry stress = shown("stress");
  const auto* cd = stress.find(Owner::Point, "Cd");
  ASSERT_NE(cd, nullptr);
  const auto* values = stress.find(Owner::Point, "stress");
  std::size_t most = 0, least = 0;
  for (std::size_t i = 0; i < std::size_t(stress.point_count); ++i) {
    if (values->number(i) > values->number(most)) most = i;
    if (values->number(i) < values->number(least)) least = i;
  }
  EXPECT_GT(cd->number(3 * most), .8) << "red where it is largest";
  EXPECT_LT(cd->number(3 * most + 2), .1);
  EXPECT_GT(cd->number(3 * least + 2), cd->number(3 * most + 2)) << "bluer where it is least";
  const Geometry calm = shown("stress", 1e12);
  for (std::size_t i = 0; i < std::size_t(calm.point_count); ++i)
    EXPECT_LT(calm.find(Owner::Point, "Cd")->number(3 * i), .11) << "far below what is red";
  const Geometry pins = shown("pins");
  for (int i = 0; i < pins.point_count; ++i)
    EXPECT_EQ(pins.find(Owner::Point, "Cd")->number(std::size_t(3 * i)) > .8,
              host.bodies(1).position(i)[0] < -.49)
        << i;
}

TEST(Quick, VellumsConstraintsAreReadByTheirType) {
  Host host;
  int last = 0;
  std::vector<std::string> types;
  host.bodies = [&](int) {
    const Geometry geometry = test::block();
    last = geometry.point_count - 1;
    return geometry;
  };
  host.targets = [&](int) {
    Geometry lines;
    lines.set_positions(test::block().positions());
    for (const std::string& type : types)
      if (type == "pin" || type == "attach")
        lines.add_primitive(PrimitiveType::Polyline, std::array<int, 1>{0});
      else
        lines.add_primitive(PrimitiveType::Polyline, std::array<int, 2>{0, last});
    StringValues& values = lines.add_strings(Owner::Primitive, "type");
    for (std::size_t i = 0; i < types.size(); ++i) values.indices[i] = values.index_of(types[i]);
    return lines;
  };
  const auto read = [&](std::vector<std::string> list) {
    types = std::move(list);
    return NodeInputs(host.at(1), true);
  };
  EXPECT_EQ(read({"stitch", "attach", ""}).links.size(), 2u);
  EXPECT_EQ(read({"stitch", "attach"}).pins.size(), 1u);
  EXPECT_EQ(read({"pin", "pin"}).pins.size(), 1u);
  const NodeInputs plain = read({"distance", "bend", "distance"});
  EXPECT_TRUE(plain.links.empty() && plain.pins.empty());
  ASSERT_EQ(plain.notes.size(), 2u);
  EXPECT_NE(plain.notes[1].find("2 constraints of type distance have no effect"), std::string::npos)
      << plain.notes[1];
  types = {"pin", "distance"};
  SolverNode node;
  const NodeResult result = node.cook(8, host.source());
  EXPECT_LT((result.geometry.position(0) - host.bodies(1).position(0)).norm(), 1e-6) << "the pin holds";
  EXPECT_LT(result.geometry.position(last)[1], host.bodies(1).position(last)[1] - .1) << "the rest falls";
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_NE(result.warnings[0].find("type distance"), std::string::npos) << result.warnings[0];
}

}  // namespace
}  // namespace verve
