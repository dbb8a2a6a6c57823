// What attributes do, frame by frame.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "NodeScenes.h"
#include "geometry/Merge.h"
#include "node/NodeExport.h"

namespace verve {
namespace {

using test::Host, test::number, test::word;

double lowest(const Geometry& geometry) {
  double y = 1e9;
  for (int i = 0; i < geometry.point_count; ++i) y = std::min(y, geometry.position(i)[1]);
  return y;
}

/// A block clamped at its left end, with one attribute set to a number everywhere.
Geometry clamped(const char* name, double value) {
  Geometry geometry = test::block();
  test::mark_left(geometry, "pintoanimation", -.49);
  if (name)
    for (float& v : geometry.add<float>(Owner::Point, name)) v = float(value);
  return geometry;
}

Geometry cooked(Host host, int frame = 12) {
  SolverNode node;
  return node.cook(frame, host.source()).geometry;
}
Geometry cooked(const char* name, double value, const NodeValues& values = {}) {
  Host host;
  host.bodies = [=](int) { return clamped(name, value); };
  host.values = [=](int) { return values; };
  return cooked(host);
}

TEST(Attributes, MultiplyTheParametersOfTheSameMeaning) {
  EXPECT_TRUE(
      same(cooked("stiffness", 4), cooked(nullptr, 0, {{"young", number(4e5)}, {"youngexp", word("0")}})));
  EXPECT_TRUE(same(cooked("massdensity", 4), cooked(nullptr, 0, {{"tetdensity", number(400)}})));
  const NodeValues damped = {{"delta", number(.01)}}, more = {{"delta", number(.04)}};
  const Geometry a = cooked("dampingratio", 4, damped), b = cooked(nullptr, 0, more);
  EXPECT_LT((a.positions() - b.positions()).cwiseAbs().maxCoeff(), 2e-3);
  EXPECT_GT((a.positions() - cooked(nullptr, 0, damped).positions()).cwiseAbs().maxCoeff(), 2e-3);
}

TEST(Attributes, StandOnPrimitivesAndTheDetailAsWell) {
  for (Owner owner : {Owner::Primitive, Owner::Detail}) {
    Host host;
    host.bodies = [=](int) {
      Geometry geometry = clamped(nullptr, 0);
      for (float& v : geometry.add<float>(owner, "stiffness")) v = 4;
      return geometry;
    };
    EXPECT_TRUE(same(cooked(host), cooked("stiffness", 4)));
  }
}

TEST(Attributes, AreReadAnewWithEveryFrame) {
  Host host;
  host.bodies = [](int frame) { return clamped("stiffness", frame < 8 ? 100 : .01); };
  SolverNode node;
  const double before = lowest(node.cook(7, host.source()).geometry);
  const NodeResult after = node.cook(20, host.source());
  EXPECT_LT(lowest(after.geometry), before - .1) << "it sags when it turns soft";
  EXPECT_LT(std::abs(after.report.ledger_error()), 1e-7) << "what the change does is booked";
  EXPECT_NE(after.report.ledger.work, 0.0);
}

TEST(Attributes, PinsFollowTheAnimationAndMayComeAndGo) {
  Host host;
  host.bodies = [](int frame) {
    Geometry geometry = test::block();
    const bool pinned = frame >= 4 && frame < 9;
    test::mark_left(geometry, "pintoanimation", pinned ? -.49 : -9);
    test::move(geometry, {0, .02 * frame, 0});
    return geometry;
  };
  SolverNode node;
  const int corner = 0;
  EXPECT_LT(node.cook(3, host.source()).geometry.position(corner)[1], host.bodies(1).position(corner)[1])
      << "free at first";
  for (int f = 4; f < 9; ++f)
    EXPECT_EQ(node.cook(f, host.source()).geometry.position(corner), host.bodies(f).position(corner)) << f;
  const NodeResult end = node.cook(16, host.source());
  EXPECT_LT(end.geometry.position(corner)[1], host.bodies(8).position(corner)[1]) << "let go";
  EXPECT_LT(std::abs(end.report.ledger_error()), 1e-7);
}

TEST(Attributes, StoppedPointsStayWhereTheyAre) {
  Host host;
  host.bodies = [](int frame) {
    Geometry geometry = test::block();
    if (frame >= 5) test::mark_left(geometry, "stopped", -.49);
    return geometry;
  };
  SolverNode node;
  const Vec3 then = node.cook(4, host.source()).geometry.position(0);
  EXPECT_LT(then[1], test::block().position(0)[1]);
  EXPECT_EQ(node.cook(15, host.source()).geometry.position(0), then);
}

TEST(Attributes, TargetsPullAndComeFromTheSecondInput) {
  Host host;
  host.values = [](int) {
    return NodeValues{
        {"gravity", {{0, 0, 0}, ""}}, {"targetstiffness", number(2000)}, {"targetdamping", number(200)}};
  };
  host.targets = [](int) {
    Geometry geometry = test::block();
    for (float& w : geometry.add<float>(Owner::Point, "targetweight")) w = 1;
    test::move(geometry, {0, .5, 0});
    return geometry;
  };
  const Geometry moved = cooked(host, 40);
  EXPECT_NEAR(lowest(moved) - lowest(test::block()), .5, .05);

  // Matched by id: the second input has the points in the opposite order, and fewer of them.
  Host by_id;
  by_id.bodies = [](int) {
    Geometry geometry = test::block();
    auto& id = geometry.add<std::int32_t>(Owner::Point, "id");
    for (std::size_t i = 0; i < id.size(); ++i) id[i] = int(i) + 100;
    return geometry;
  };
  by_id.targets = [](int) {
    Geometry geometry;
    Vector x(6);
    x << 1, 2, 3, 4, 5, 6;
    geometry.set_positions(x);
    auto& id = geometry.add<std::int32_t>(Owner::Point, "id");
    id[0] = 103, id[1] = 101;
    for (auto& pin : geometry.add<std::int32_t>(Owner::Point, "pintoanimation")) pin = 1;
    return geometry;
  };
  const NodeInputs read(by_id.at(1), true);
  ASSERT_EQ(read.pins.size(), 2u);
  EXPECT_EQ(read.pins[0].point, 1);
  EXPECT_EQ(read.pins[0].position, Vec3(4, 5, 6));
  EXPECT_EQ(read.pins[1].point, 3);
}

TEST(Constraints, AreTheLinesOfTheSecondInput) {
  Host host;
  int last = 0;
  host.bodies = [&](int) {
    Geometry geometry = test::block();
    test::mark_left(geometry, "stopped", -.49);
    last = geometry.point_count - 1;
    return geometry;
  };
  host.targets = [&](int) {
    Geometry lines;
    lines.set_positions(test::block().positions());
    lines.add_primitive(PrimitiveType::Polyline, std::array<int, 2>{0, last});
    return lines;
  };
  SolverNode node;
  const auto length = [&](const Geometry& g) { return (g.position(0) - g.position(last)).norm(); };
  const double before = length(host.bodies(1));
  EXPECT_NEAR(length(node.cook(12, host.source()).geometry), before, 1e-6);
  host.targets = {};
  EXPECT_GT(std::abs(length(node.cook(12, host.source()).geometry) - before), 1e-4) << "without it";
}

TEST(Constraints, LinesBetweenPointsAtOnePlaceWeldThem) {
  // Two blocks, end to end, with a gap of a few roundings.
  Host host;
  const int count = test::block().point_count;
  host.bodies = [&](int) {
    Geometry both = test::block(), second = test::block();
    test::move(second, {1, 3e-7, 0});
    test::mark_left(both, "stopped", -.49);
    append(both, second);
    return both;
  };
  host.values = [](int) { return NodeValues{{"dobodycollisions", number(0)}}; };
  int from = 1;
  std::vector<std::array<int, 2>> pairs;
  const Geometry start = host.bodies(1);
  for (int a = 0; a < count; ++a)
    for (int b = count; b < 2 * count; ++b)
      if ((start.position(a) - start.position(b)).norm() < 1e-5) pairs.push_back({a, b});
  ASSERT_EQ(pairs.size(), 4u);
  host.targets = [&](int frame) {
    Geometry lines;
    lines.set_positions(start.positions());
    if (frame >= from)
      for (const auto& pair : pairs) lines.add_primitive(PrimitiveType::Polyline, pair);
    return lines;
  };
  SolverNode node;
  const Geometry end = node.cook(12, host.source()).geometry;
  for (const auto& [a, b] : pairs) EXPECT_LT((end.position(a) - end.position(b)).norm(), 1e-8);
  EXPECT_LT(end.position(pairs[0][0])[1], start.position(pairs[0][0])[1] - 1e-3);
  from = 6;
  SolverNode late;
  EXPECT_THROW(late.cook(12, host.source()), Error) << "it has fallen off by then";
}

TEST(Attributes, VelocityAndRestComeInAndGoOut) {
  Host host;
  host.bodies = [](int) {
    Geometry geometry = test::block();
    auto& v = geometry.add<float>(Owner::Point, "v", 3, "vector");
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = i % 3 == 0 ? 2.f : 0.f;
    // The shape that it is at rest in is longer than it begins.
    auto& rest = geometry.add<float>(Owner::Point, "rest", 3, "point");
    for (std::size_t i = 0; i < rest.size(); ++i)
      rest[i] = float(geometry.position(int(i / 3))[int(i % 3)] * (i % 3 == 0 ? 1.2 : 1));
    return geometry;
  };
  SolverNode node;
  const NodeResult first = node.cook(1, host.source());
  EXPECT_EQ(first.geometry.find(Owner::Point, "v")->number(0), 2);
  EXPECT_GT(first.report.levels.elastic, 0.1);
  EXPECT_NEAR(first.geometry.find(Owner::Point, "rest")->number(0), -.6, 1e-6);
  const Geometry later = node.cook(3, host.source()).geometry;
  double centre = 0;
  for (int i = 0; i < later.point_count; ++i) centre += later.position(i)[0] / later.point_count;
  EXPECT_NEAR(centre, 2 * 2 / 24., 1e-3);
}

TEST(Pieces, TetsClothAndRodsInOneInput) {
  Geometry geometry = test::block();
  const int tets = geometry.point_count;
  const Geometry cloth = test::sheet(3, 1);
  Vector x(geometry.positions().size() + cloth.positions().size() + 4 * 3);
  Vector rod(12);
  for (int i = 0; i < 4; ++i) point(rod, i) = Vec3(.1 * i, 2, 0);
  x << geometry.positions(), cloth.positions() + Vector::Constant(cloth.positions().size(), 5), rod;
  geometry.set_positions(x);
  for (int i = 0; i < cloth.primitive_count(); ++i) {
    std::array<int, 4> quad;
    for (int k = 0; k < 4; ++k) quad[std::size_t(k)] = cloth.vertex_points[std::size_t(4 * i + k)] + tets;
    geometry.add_primitive(PrimitiveType::Polygon, quad);
  }
  const int line = tets + cloth.point_count;
  geometry.add_primitive(PrimitiveType::Polyline, std::array<int, 4>{line, line + 1, line + 2, line + 3});
  geometry.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{0, 1, 2});  // on tets: carried along

  BodyMaterials materials;
  const ImportedBodies made =
      import_bodies(geometry, rest_positions(geometry, {}), point_attributes(geometry), materials);
  ASSERT_EQ(made.bodies.size(), 3u);
  EXPECT_EQ(made.bodies[0].springs.size(), 0u);
  const auto mass = [&](int i) {
    double sum = 0;
    for (double m : made.bodies[std::size_t(i)].mass) sum += m;
    return sum;
  };
  EXPECT_NEAR(mass(0), 100 * .25 * .25, 1e-6);
  EXPECT_NEAR(mass(1), .13, 1e-7);  // cotton
  EXPECT_NEAR(mass(2), .1 * .3, 1e-7);
  EXPECT_EQ(made.bodies[2].springs.size(), 3u + 2u);
  Host host;
  host.bodies = [&](int) { return geometry; };
  SolverNode node;
  EXPECT_LT(std::abs(node.cook(6, host.source()).report.ledger_error()), 1e-8);
}

TEST(Output, ShowsStressContactAndInversion) {
  Host host;
  host.colliders = [](int) { return test::sheet(1, 4, -.5); };
  host.bodies = [](int) { return test::block(); };
  host.values = [](int) { return NodeValues{{"tetmodel", word("stvk")}}; };  // whose energy is told below
  SolverNode node;
  const NodeResult first = node.cook(1, host.source());
  for (std::size_t i = 0; i < std::size_t(first.geometry.point_count); ++i) {
    EXPECT_EQ(first.geometry.find(Owner::Point, "stress")->number(i), 0);
    EXPECT_EQ(first.geometry.find(Owner::Point, "contact")->number(i), 0);
  }
  NodeResult landed = node.cook(7, host.source());
  for (int f = 8; f < 12 && landed.report.contacts == 0; ++f) landed = node.cook(f, host.source());
  EXPECT_GT(landed.report.contacts, 0);
  int touching = 0;
  double stress = 0;
  for (std::size_t i = 0; i < std::size_t(landed.geometry.point_count); ++i) {
    touching += int(landed.geometry.find(Owner::Point, "contact")->number(i));
    stress = std::max(stress, landed.geometry.find(Owner::Point, "stress")->number(i));
  }
  EXPECT_EQ(touching, landed.report.contacts) << landed.report.frame;
  EXPECT_GT(stress, 1);
  EXPECT_EQ(landed.geometry.find(Owner::Detail, "total")->number(0), landed.report.levels.total());

  // The energy density is what the ledger knows, spread over the points by their share of the volume.
  double sum = 0, weight = 0;
  const NodeInputs inputs(host.at(1), true);
  const ImportedBodies made =
      import_bodies(*inputs.geometry, rest_positions(*inputs.geometry, inputs.attributes), inputs.attributes,
                    inputs.settings.materials);
  const ElementReport none = report_elements(
      [&] {
        Scene scene;
        scene.bodies = made.bodies;
        return scene;
      }(),
      [&] {
        Vector x = inputs.geometry->positions();
        for (int i = 0; i < x.size() / 3; ++i) x[3 * i] *= 1.1;  // the same strain everywhere
        return x;
      }());
  for (std::size_t i = 0; i < none.energy_density.size(); ++i) {
    sum += none.energy_density[i] * made.bodies[0].mass[i] / 100;
    weight += made.bodies[0].mass[i] / 100;
  }
  const double e = .5 * (1.21 - 1), mu = 1e5 / 2.8, lambda = 1e5 * .4 / (1.4 * .2);
  EXPECT_NEAR(sum / weight, mu * e * e + .5 * lambda * e * e, 1e-3 * sum / weight);
}

TEST(Output, MarksTetrahedraThatAreInsideOut) {
  Host host;
  host.bodies = [](int) {
    Geometry geometry = test::block();
    auto& rest = geometry.add<float>(Owner::Point, "rest", 3, "point");
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = float(geometry.position(int(i / 3))[int(i % 3)]);
    // A corner is pushed through the other side.
    std::get<std::vector<float>>(geometry.find(Owner::Point, "P")->values)[0] = 2;
    return geometry;
  };
  SolverNode node;
  const NodeResult first = node.cook(1, host.source());
  EXPECT_GT(first.report.inverted, 0);
  int marked = 0;
  const Attribute& inverted = *first.geometry.find(Owner::Primitive, "inverted");
  for (int i = 0; i < first.geometry.primitive_count(); ++i) {
    const int* p = &first.geometry.vertex_points[std::size_t(4 * i)];
    Mat3 edges;
    for (int k = 0; k < 3; ++k)
      edges.col(k) = first.geometry.position(p[k + 1]) - first.geometry.position(p[0]);
    EXPECT_EQ(inverted.number(std::size_t(i)), edges.col(0).dot(edges.col(1).cross(edges.col(2))) <= 0) << i;
    marked += int(inverted.number(std::size_t(i)));
  }
  EXPECT_EQ(marked, first.report.inverted);
  ASSERT_FALSE(first.warnings.empty());
  EXPECT_NE(first.warnings.back().find("inside out"), std::string::npos);
}

TEST(Output, MergesIntoTheInput) {
  Host host;
  SolverNode node;
  const Geometry out = node.cook(3, host.source()).geometry;
  Geometry shown = host.bodies(3);
  shown.add<float>(Owner::Point, "Cd", 3, "color");
  put_attributes(shown, out);
  check(shown);
  EXPECT_EQ(shown.positions(), out.positions());
  EXPECT_TRUE(shown.find(Owner::Point, "Cd"));
}

TEST(Colliders, MoveStraightFromFrameToFrame) {
  Host host;
  host.bodies = [](int) { return test::block(); };
  host.values = [](int) { return NodeValues{{"gravity", {{0, 0, 0}, ""}}, {"substeps", number(4)}}; };
  host.colliders = [](int frame) { return test::sheet(2, 4, -.2 + .02 * frame); };
  SolverNode node;
  const NodeResult end = node.cook(20, host.source());
  EXPECT_GT(lowest(end.geometry), lowest(test::block()) + .05) << "the floor comes up and lifts it";
  EXPECT_GT(end.report.ledger.work, 0);
  EXPECT_LT(std::abs(end.report.ledger_error()), 1e-6);
}

TEST(Friction, IsMultipliedByThePoints) {
  const auto slid = [](double by) {
    Host host;
    host.values = [](int) {
      return NodeValues{{"friction", number(1)}, {"collisionstiffness", number(500)}};
    };
    host.colliders = [](int) { return test::sheet(1, 8, -.125); };
    host.bodies = [=](int) {
      Geometry geometry = test::block();
      auto& v = geometry.add<float>(Owner::Point, "v", 3, "vector");
      for (std::size_t i = 0; i < v.size(); i += 3) v[i] = 1;
      for (float& f : geometry.add<float>(Owner::Point, "friction")) f = float(by);
      return geometry;
    };
    const Geometry end = cooked(host, 10);
    double centre = 0;
    for (int i = 0; i < end.point_count; ++i) centre += end.position(i)[0] / end.point_count;
    return centre;
  };
  EXPECT_NEAR(slid(0), 9. / 24, .02);
  EXPECT_LT(slid(1), .5 * 9. / 24);
}

/// The words that an error has to say.
void expect_error(Host& host, const std::vector<std::string>& words) {
  SolverNode node;
  try {
    node.cook(2, host.source());
    FAIL() << "no error that says " << words[0];
  } catch (const Error& error) {
    for (const std::string& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(Errors, NameThePointOrPrimitiveAndWhatToDo) {
  Host host;
  const auto with = [&](auto change) {
    host.bodies = [=](int) {
      Geometry geometry = test::block();
      change(geometry);
      return geometry;
    };
  };
  with([](Geometry& g) { g.add<float>(Owner::Point, "stiffness")[3] = -1; });
  expect_error(host, {"stiffness", "point 3", "at least 0"});
  with([](Geometry& g) {
    auto& mass = g.add<float>(Owner::Point, "mass");
    for (float& m : mass) m = 1;
    mass[7] = std::nanf("");
  });
  expect_error(host, {"mass", "7", "finite"});
  with([](Geometry& g) { g.add_strings(Owner::Point, "friction"); });
  expect_error(host, {"friction", "number"});
  with([](Geometry& g) { std::get<std::vector<float>>(g.find(Owner::Point, "P")->values)[5] = INFINITY; });
  expect_error(host, {"point 1", "finite"});
  with([](Geometry& g) { g.vertex_points[4 * 5 + 1] = g.vertex_points[4 * 5]; });
  expect_error(host, {"primitive 5", "without volume"});
  with([](Geometry& g) { g = Geometry(); });
  expect_error(host, {"first input", "no points"});
  with([](Geometry& g) {
    Geometry bare;
    bare.set_positions(g.positions());
    g = bare;
  });
  expect_error(host, {"no tetrahedra"});
  with([](Geometry&) {});
  host.targets = [](int) { return test::sheet(2, 1); };
  expect_error(host, {"second input", "9 points", "id"});
  host.targets = {};
  host.values = [](int) { return NodeValues{{"alpha", number(2)}}; };
  expect_error(host, {"alpha", "at most 1"});
  host.values = [](int) { return NodeValues{{"yuong", number(2)}}; };
  expect_error(host, {"yuong", "young"});
  host.values = [](int) { return NodeValues{{"integrator", word("euler")}}; };
  expect_error(host, {"integrator", "euler"});
}

TEST(Warnings, SayWhatWasPassedOver) {
  Host host;
  host.bodies = [](int) {
    Geometry geometry = test::block();
    Vector x(geometry.positions().size() + 3);
    x << geometry.positions(), 9, 9, 9;
    geometry.set_positions(x);
    std::swap(geometry.vertex_points[4 * 2], geometry.vertex_points[4 * 2 + 1]);
    return geometry;
  };
  SolverNode node;
  const NodeResult result = node.cook(3, host.source());
  ASSERT_EQ(result.warnings.size(), 2u);
  EXPECT_NE(result.warnings[0].find("first is point 20"), std::string::npos) << result.warnings[0];
  EXPECT_NE(result.warnings[1].find("primitive 2"), std::string::npos) << result.warnings[1];
  EXPECT_EQ(result.geometry.position(20), Vec3(9, 9, 9));
}

}  // namespace
}  // namespace verve
