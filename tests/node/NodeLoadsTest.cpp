// Pressure, rest scale, soft pins and breaking stitches of a node.
#include <gtest/gtest.h>

#include "NodeScenes.h"

namespace verve {
namespace {

using test::Host, test::number, test::word;

/// A closed box of quads, `cells` a side, 1 m wide.
Geometry pillow(int cells) {
  Geometry geometry;
  std::vector<Vec3> points;
  std::map<std::array<int, 3>, int> known;
  const auto at = [&](int i, int j, int k) {
    const auto [place, isNew] = known.insert({{i, j, k}, int(points.size())});
    if (isNew) points.push_back(Vec3(i, j, k) / cells);
    return place->second;
  };
  std::vector<std::array<int, 4>> quads;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      for (int a = 0; a < cells; ++a)
        for (int b = 0; b < cells; ++b) {
          const auto corner = [&](int da, int db) {
            std::array<int, 3> c{};
            c[std::size_t(axis)] = side * cells;
            c[std::size_t(axis + 1) % 3] = a + da;
            c[std::size_t(axis + 2) % 3] = b + db;
            return at(c[0], c[1], c[2]);
          };
          std::array<int, 4> quad{corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)};
          if (side == 0) std::swap(quad[1], quad[3]);
          quads.push_back(quad);
        }
  Vector x(3 * Eigen::Index(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) point(x, int(i)) = points[i];
  geometry.set_positions(x);
  for (const auto& quad : quads) geometry.add_primitive(PrimitiveType::Polygon, quad);
  return geometry;
}

double width(const Geometry& geometry) {
  const Vector x = geometry.positions();
  double low = 1e9, high = -1e9;
  for (Eigen::Index i = 0; i < x.size(); i += 3) low = std::min(low, x[i]), high = std::max(high, x[i]);
  return high - low;
}

/// Without gravity, and calm in the end.
NodeValues calm(NodeValues more) {
  more.insert({{"gravity", {{0, 0, 0}, ""}}, {"eta", number(4)}, {"fabric", word("rubber")}});
  return more;
}

TEST(NodeLoads, PressureBlowsUpWhatIsClosed) {
  Host host;
  host.bodies = [](int) { return pillow(3); };
  SolverNode flat, full, gas;
  host.values = [](int) { return calm({}); };
  const double at_rest = width(flat.cook(20, host.source()).geometry);
  EXPECT_NEAR(at_rest, 1.0, 1e-6);
  host.values = [](int) { return calm({{"dopressure", word("constant")}, {"pressure", number(20)}}); };
  const NodeResult result = full.cook(20, host.source());
  EXPECT_GT(width(result.geometry), at_rest + .02);
  EXPECT_GT(result.report.ledger.work, 0) << "the reservoir works";
  host.values = [](int) {
    return calm(
        {{"dopressure", word("isothermal")}, {"gasamount", number(1.5)}, {"gasoutside", number(100)}});
  };
  EXPECT_GT(width(gas.cook(20, host.source()).geometry), at_rest + .02);
}

TEST(NodeLoads, PressureWithNothingClosedIsSaid) {
  Host host;
  host.bodies = [](int) { return test::sheet(3, 1); };
  host.values = [](int) { return calm({{"dopressure", word("constant")}}); };
  SolverNode node;
  const NodeResult result = node.cook(2, host.source());
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_NE(result.warnings[0].find("no piece of cloth is closed"), std::string::npos);
}

TEST(NodeLoads, RestScaleGrowsEveryKindAndKeepsTheBooks) {
  for (const auto& bodies : {std::function<Geometry(int)>([](int) { return test::block(); }),
                             std::function<Geometry(int)>([](int) { return test::sheet(4, 1); })}) {
    Host host;
    host.bodies = bodies;
    host.values = [](int frame) { return calm({{"restscale", number(frame < 3 ? 1 : 1.2)}}); };
    SolverNode node;
    EXPECT_NEAR(width(node.cook(2, host.source()).geometry), 1.0, 1e-6);
    const NodeResult grown = node.cook(60, host.source());
    EXPECT_NEAR(width(grown.geometry), 1.2, .01);
    EXPECT_GT(grown.report.ledger.work, 0) << "growing takes work";
    EXPECT_LT(std::abs(grown.report.ledger_error()), 1e-6);
  }
}

/// A line of two points beside the body's, as Vellum's constraints are.
Geometry constraint(const Geometry& bodies, const std::vector<int>& points, const char* type) {
  Geometry geometry;
  geometry.set_positions(bodies.positions());
  geometry.add_primitive(PrimitiveType::Polyline, points);
  StringValues& types = geometry.add_strings(Owner::Primitive, "type");
  types.indices[0] = types.index_of(type);
  return geometry;
}

TEST(NodeLoads, StitchesBreakByForceDistanceOrRatio) {
  // Two sheets' corners; the lower sheet hangs on the upper, which is held, by one spring of 100 N/m.
  const auto bodies = [](int) {
    Geometry geometry = test::sheet(1, .2, 0), lower = test::sheet(1, .2, -.1);
    Vector x(24);
    x << geometry.positions(), lower.positions();
    Geometry both;
    both.set_positions(x);
    both.add_primitive(PrimitiveType::Polygon, std::array<int, 4>{0, 2, 3, 1});
    both.add_primitive(PrimitiveType::Polygon, std::array<int, 4>{4, 6, 7, 5});
    auto& pins = both.add<std::int32_t>(Owner::Point, "pintoanimation");
    std::fill(pins.begin(), pins.begin() + 4, 1);
    return both;
  };
  const auto lowest = [&](const char* by, double threshold) {
    Host host;
    host.bodies = bodies;
    host.values = [](int) { return NodeValues{{"fabric", word("leather")}}; };
    host.targets = [=](int frame) {
      Geometry line = constraint(bodies(frame), {0, 4}, "attach");
      line.add<double>(Owner::Primitive, "stiffness")[0] = 100;
      line.add<double>(Owner::Primitive, "breakthreshold")[0] = threshold;
      StringValues& types = line.add_strings(Owner::Primitive, "breaktype");
      types.indices[0] = types.index_of(by);
      return line;
    };
    SolverNode node;
    const Vector x = node.cook(24, host.source()).geometry.positions();
    return x[3 * 4 + 1];
  };
  // 0.2^2 * 0.8 kg weigh 0.31 N, and pull twice that hard on their way down: 6 mm of 100 mm.
  for (const char* by : {"stretchstress", "stretchdistance", "stretchratio"}) {
    const double little = by == std::string("stretchstress")     ? .1
                          : by == std::string("stretchdistance") ? .001
                                                                 : .01;
    EXPECT_LT(lowest(by, little), -1) << by << " lets it fall";
    EXPECT_GT(lowest(by, 100 * little), -.2) << by << " holds";
    EXPECT_GT(lowest(by, -1), -.2) << by << ": below 0 nothing breaks";
  }
  EXPECT_THROW(lowest("bendangle", 1), Error);
}

TEST(NodeLoads, AttachmentsOfOnePointFollowAnimationBySprings) {
  const auto bodies = [](int) { return test::block(); };
  const auto lag = [&](double stiffness) {
    Host host;
    host.bodies = bodies;
    host.values = [](int) { return calm({}); };
    host.targets = [=](int frame) {
      Geometry moved = test::block();
      test::move(moved, Vec3(.02 * (frame - 1), 0, 0));
      Geometry line = constraint(moved, {0}, "attach");
      line.add<double>(Owner::Primitive, "stiffness")[0] = stiffness;
      return line;
    };
    SolverNode node;
    const Geometry there = node.cook(11, host.source()).geometry;
    return bodies(1).position(0)[0] + .2 - there.position(0)[0];
  };
  EXPECT_LT(std::abs(lag(0)), 1e-6) << "without a stiffness it is a pin";
  const double soft = lag(200), softer = lag(20);
  EXPECT_GT(soft, 1e-3);
  EXPECT_GT(softer, soft) << "the softer, the further behind";
  EXPECT_LT(softer, .2) << "but it comes along";
}

}  // namespace
}  // namespace verve
