// restlength: how long lines want to be.
#include <gtest/gtest.h>

#include "NodeScenes.h"

namespace verve {
namespace {

using test::Host, test::number;

/// A line of three segments, 1, 1 and 2 m long, hanging from its first point.
Geometry line(double length) {
  Geometry geometry;
  Vector x(12);
  x << 0, 0, 0, 0, -1, 0, 0, -2, 0, 0, -4, 0;
  geometry.set_positions(x);
  geometry.add_primitive(PrimitiveType::Polyline, std::array<int, 4>{0, 1, 2, 3});
  geometry.add<std::int32_t>(Owner::Point, "pintoanimation")[0] = 1;
  geometry.add<float>(Owner::Primitive, "restlength")[0] = float(length);
  return geometry;
}

TEST(RestLength, IsSharedOutAmongTheSegmentsOfALine) {
  const Geometry geometry = line(2);
  const PointAttributes attributes = point_attributes(geometry);
  const ImportedBodies made =
      import_bodies(geometry, rest_positions(geometry, attributes), attributes, BodyMaterials());
  const Body& body = made.bodies.at(0);
  ASSERT_EQ(body.springs.size(), 5u);  // three along it and two across
  for (std::size_t s = 0; s < body.springs.size(); ++s) {
    const auto [a, b] = body.springs[s];
    EXPECT_DOUBLE_EQ(body.spring_material.length[s],
                     .5 * (body.rest[std::size_t(a)] - body.rest[std::size_t(b)]).norm());
  }
  double mass = 0.0;
  for (double m : body.mass) mass += m;
  EXPECT_DOUBLE_EQ(mass, .4) << "4 m of 0.1 kg/m, whatever length it wants";
}

TEST(RestLength, PullsALineTogetherAndMayBeAnimated) {
  Host host;
  host.bodies = [](int frame) { return line(frame < 60 ? 2 : 1.5); };
  host.values = [](int) {
    return NodeValues{{"gravity", {{0, 0, 0}, ""}}, {"eta", number(8)}, {"delta", number(.05)}};
  };
  SolverNode node;
  EXPECT_NEAR(node.cook(59, host.source()).geometry.position(3)[1], -2, .02);
  const NodeResult end = node.cook(120, host.source());
  EXPECT_NEAR(end.geometry.position(3)[1], -1.5, .02);
  EXPECT_LT(std::abs(end.report.ledger_error()), 1e-6) << "what the change brings is booked";
}

TEST(RestLength, OfTheSecondInputsLinesIsTheDistanceTheyKeep) {
  Host host;
  host.values = [](int) { return NodeValues{{"gravity", {{0, 0, 0}, ""}}}; };
  const Geometry block = test::block();
  const int last = block.point_count - 1;
  double factor = 1;
  const double apart = (block.position(0) - block.position(last)).norm();
  host.targets = [&](int) {
    Geometry geometry = test::block();
    geometry.primitive_types.clear();
    geometry.primitive_starts = {0};
    geometry.vertex_points.clear();
    geometry.add_primitive(PrimitiveType::Polyline, std::array<int, 2>{0, last});
    geometry.add<float>(Owner::Primitive, "restlength")[0] = float(factor * apart);
    return geometry;
  };
  SolverNode node;
  const Geometry end = node.cook(4, host.source()).geometry;
  EXPECT_NEAR((end.position(0) - end.position(last)).norm(), apart, 1e-6);
  factor = .95;
  SolverNode other;
  EXPECT_THROW(other.cook(4, host.source()), Error) << "it does not hold at the start";
}

TEST(RestLength, WhereItCannotBeUsedThatIsSaid) {
  Host host;
  host.bodies = [](int) {
    Geometry geometry = test::sheet(2, 1);
    for (float& l : geometry.add<float>(Owner::Primitive, "restlength")) l = 1;
    return geometry;
  };
  SolverNode node;
  const NodeResult result = node.cook(1, host.source());
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings[0].find("'restlength' is not used at 4 polygons"), 0u) << result.warnings[0];
  host.bodies = [](int) { return line(-1); };
  SolverNode other;
  EXPECT_THROW(other.cook(1, host.source()), Error);
}

}  // namespace
}  // namespace verve
