// Air and attachments of the node: its parameters, its points' attributes, and Vellum's constraint lines.
#include <gtest/gtest.h>

#include "base/Error.h"
#include "node/NodeScenes.h"

namespace verve {
namespace {

using test::Host, test::number, test::word;

NodeValues floating(NodeValues more = {}) {
  more["gravity"] = {{0, 0, 0}, ""};
  return more;
}

TEST(NodeTerms, WindBlowsWhenAirIsOn) {
  Host host;
  host.bodies = [](int) { return test::sheet(4, 1); };
  host.values = [](int) {
    return floating({{"doair", word("on")}, {"wind", {{0, 3, 0}, ""}}, {"dragnormal", number(50)}});
  };
  SolverNode windy;
  const NodeResult result = windy.cook(24, host.source());
  EXPECT_NEAR(result.report.momentum.linear[1] / 0.13, 3.0, 0.1);
  EXPECT_LT(std::abs(result.report.ledger_error()), 1e-8);
  host.values = [](int) { return floating({{"wind", {{0, 3, 0}, ""}}}); };
  SolverNode still;
  EXPECT_EQ(still.cook(4, host.source()).report.momentum.linear[1], 0.0) << "off unless asked for";
}

TEST(NodeTerms, PointsHaveWindAndDragOfTheirOwn) {
  Host host;
  host.bodies = [](int) {
    Geometry geometry = test::sheet(4, 1);
    auto& wind = geometry.add<float>(Owner::Point, "wind", 3);
    for (std::size_t i = 1; i < wind.size(); i += 3) wind[i] = 2;
    for (float& d : geometry.add<float>(Owner::Point, "dragnormal")) d = 40;
    return geometry;
  };
  host.values = [](int) { return floating({{"doair", word("on")}}); };
  SolverNode node;
  EXPECT_NEAR(node.cook(24, host.source()).report.momentum.linear[1] / 0.13, 2.0, 0.1);
}

/// Lines of the second input from the first sheet's corner points to those of a sheet below it.
Geometry lines(const Geometry& bodies, const std::string& type, double stiffness, double damping,
               double length) {
  Geometry geometry = bodies;
  geometry.primitive_types.clear();
  geometry.primitive_starts = {0};
  geometry.vertex_points.clear();
  const int half = bodies.point_count / 2;
  for (int i = 0; i < half; ++i)
    geometry.add_primitive(PrimitiveType::Polyline, std::array<int, 2>{i, half + i});
  for (float& k : geometry.add<float>(Owner::Primitive, "stiffness")) k = float(stiffness);
  for (float& d : geometry.add<float>(Owner::Primitive, "dampingratio")) d = float(damping);
  for (float& l : geometry.add<float>(Owner::Primitive, "restlength")) l = float(length);
  StringValues& types = geometry.add_strings(Owner::Primitive, "type");
  for (int& t : types.indices) t = types.index_of(type);
  return geometry;
}

Geometry two_sheets(double apart) {
  Geometry geometry = test::sheet(3, 1);
  const Geometry below = test::sheet(3, 1, -apart);
  const int n = geometry.point_count;
  Vector x(6 * n);
  x << geometry.positions(), below.positions();
  const std::vector<int> corners = below.vertex_points;
  geometry.set_positions(x);
  for (int p = 0; p < below.primitive_count(); ++p) {
    std::vector<int> polygon(corners.begin() + below.primitive_starts[std::size_t(p)],
                             corners.begin() + below.primitive_starts[std::size_t(p) + 1]);
    for (int& c : polygon) c += n;
    geometry.add_primitive(PrimitiveType::Polygon, polygon);
  }
  return geometry;
}

TEST(NodeTerms, VellumsStitchesPullTogether) {
  Host host;
  const Geometry sheets = two_sheets(0.2);
  host.bodies = [&](int) { return sheets; };
  host.targets = [&](int) { return lines(sheets, "stitch", 50, 1, 0); };
  host.values = [](int) { return floating({{"dobodycollisions", number(0)}}); };
  SolverNode node;
  const NodeResult end = node.cook(48, host.source());
  const int half = sheets.point_count / 2;
  for (int i = 0; i < half; ++i)
    EXPECT_LT((end.geometry.position(i) - end.geometry.position(half + i)).norm(), 0.02);
  EXPECT_LT(std::abs(end.report.ledger_error()), 1e-8);
}

TEST(NodeTerms, VellumsDistancesKeepTheirLength) {
  Host host;
  const Geometry sheets = two_sheets(0.2);
  host.bodies = [&](int) { return sheets; };
  host.targets = [&](int) { return lines(sheets, "distance", 50, 1, 0.3); };
  host.values = [](int) { return floating({{"dobodycollisions", number(0)}}); };
  SolverNode node;
  const NodeResult end = node.cook(48, host.source());
  const int half = sheets.point_count / 2;
  for (int i = 0; i < half; ++i)
    EXPECT_NEAR((end.geometry.position(i) - end.geometry.position(half + i)).norm(), 0.3, 0.02);
}

TEST(NodeTerms, OtherTypesAreNamed) {
  Host host;
  const Geometry sheets = two_sheets(0.2);
  host.bodies = [&](int) { return sheets; };
  host.targets = [&](int) { return lines(sheets, "stich", 50, 1, 0); };
  const NodeInputs inputs(host.at(1), true);
  EXPECT_TRUE(inputs.links.empty());
  ASSERT_EQ(inputs.notes.size(), 1u);
  EXPECT_NE(inputs.notes[0].find("type stich have no effect"), std::string::npos) << inputs.notes[0];
}

}  // namespace
}  // namespace verve
