// What a node's bodies keep of a bend, how they soften on the way, and how its springs let go.
#include <gtest/gtest.h>

#include "NodeScenes.h"

namespace verve {
namespace {

using test::Host, test::number, test::word;

/// How long a block is in x.
double length(const Geometry& g) {
  const Vector x = g.positions();
  const auto row = x.reshaped(3, x.size() / 3).row(0);
  return row.maxCoeff() - row.minCoeff();
}

/// A block that is drawn out by half within a second and let go then.
Host drawn_out(double yield, double soft = 1.0) {
  Host host;
  host.bodies = [](int frame) {
    Geometry g = test::block();
    Vector x = g.positions();
    std::vector<int> held;
    for (int i = 0; i < g.point_count; ++i) {
      held.push_back(frame <= 25 && std::abs(x[3 * i]) > 0.49);
      x[3 * i] *= 1.0 + 0.5 * std::min(1.0, (frame - 1) / 24.0);
    }
    g.set_positions(x);
    auto& pins = g.add<std::int32_t>(Owner::Point, "pintoanimation");
    for (std::size_t i = 0; i < held.size(); ++i) pins[i] = held[i];
    return g;
  };
  host.values = [=](int frame) {
    const double scale = 1.0 + (soft - 1.0) * std::min(1.0, (frame - 1) / 12.0);
    return NodeValues{{"gravity", {{0, 0, 0}, ""}},     {"young", number(1)}, {"youngexp", word("4")},
                      {"delta", number(0.05)},          {"eta", number(2)},   {"yield", number(yield)},
                      {"stiffnessscale", number(scale)}};
  };
  return host;
}

TEST(NodeToolbox, WhatYieldsStaysAlsoWhileStiffnessIsKeyed) {
  for (double soft : {1.0, 0.5}) {
    Host elastic = drawn_out(0.0, soft), plastic = drawn_out(1000.0, soft);
    SolverNode one, other;
    double error = 0.0;
    for (int f = 2; f <= 72; ++f)
      error = std::max(error, std::abs(other.cook(f, plastic.source()).report.ledger_error()));
    EXPECT_LE(error, 1e-8);
    EXPECT_NEAR(length(one.cook(72, elastic.source()).geometry), 1.0, 0.01);
    const NodeResult end = other.cook(72, plastic.source());
    EXPECT_GT(length(end.geometry), 1.2);
    EXPECT_GT(end.report.ledger.dissipated, 0.0);
  }
}

/// Two points, the upper one held, and a spring between them; or without it from frame `cut` on.
Host hung(double stiffness, double breaks, double release, int cut) {
  Host host;
  const auto shape = [] {
    Geometry g;
    Vector x(3 * 6);
    x << 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.2, 0, 1, -0.2, 0, 0, -0.2, 1;
    g.set_positions(x);
    g.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{0, 1, 2});
    g.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{3, 4, 5});
    return g;
  };
  host.bodies = [=](int) {
    Geometry g = shape();
    g.add<std::int32_t>(Owner::Point, "pintoanimation") = {1, 1, 1, 0, 0, 0};
    return g;
  };
  host.targets = [=](int frame) {
    Geometry g = shape();
    g.primitive_types.clear(), g.primitive_starts = {0}, g.vertex_points.clear();
    const int lines = frame < cut ? 3 : 2;
    for (int i = 0; i < lines; ++i) g.add_primitive(PrimitiveType::Polyline, std::array<int, 2>{i, 3 + i});
    for (float& k : g.add<float>(Owner::Primitive, "stiffness")) k = float(stiffness);
    std::vector<float>& threshold = g.add<float>(Owner::Primitive, "breakthreshold");
    for (std::size_t i = 0; i < threshold.size(); ++i) threshold[i] = i == 0 ? float(breaks) : -1.0f;
    for (float& t : g.add<float>(Owner::Primitive, "release")) t = float(release);
    return g;
  };
  host.values = [](int) { return NodeValues{{"dobodycollisions", number(0)}}; };
  return host;
}

TEST(NodeToolbox, SpringsLetGoAtTheirRelease) {
  Host host = hung(50, -1, 0.5, 1000);
  SolverNode node;
  EXPECT_GT(node.cook(12, host.source()).geometry.position(4)[1], -0.6);
  const NodeResult end = node.cook(36, host.source());
  EXPECT_LT(end.geometry.position(4)[1], -1.0);
  EXPECT_LE(std::abs(end.report.ledger_error()), 1e-8);
}

TEST(NodeToolbox, LinesThatAreCutLetGoAndBrokenOnesStayBroken) {
  // The first spring breaks at once, the last line is gone from frame 20 on; the second holds all the time.
  Host host = hung(50, 0.01, -1, 20);
  SolverNode node;
  double error = 0.0;
  NodeResult result;
  for (int f = 2; f <= 40; ++f) {
    result = node.cook(f, host.source());
    error = std::max(error, std::abs(result.report.ledger_error()));
    if (f == 19) {
      EXPECT_GT(result.geometry.position(5)[1], -0.8) << "held by its line";
    }
  }
  EXPECT_LE(error, 1e-8);
  EXPECT_GT((result.geometry.position(4) - result.geometry.position(1)).norm(), 0.15);
  EXPECT_LT((result.geometry.position(4) - result.geometry.position(1)).norm(), 0.3) << "held";
  EXPECT_GT((result.geometry.position(3) - result.geometry.position(0)).norm(), 0.5) << "broken";
  EXPECT_GT((result.geometry.position(5) - result.geometry.position(2)).norm(), 0.5) << "cut";
}

TEST(NodeToolbox, LinesAreRopesInSIUnits) {
  // Hung from one end a rope is longer by half of its weight over EA.
  Host host;
  host.bodies = [](int) {
    Geometry g;
    Vector x(3 * 11);
    std::vector<int> line;
    for (int i = 0; i < 11; ++i) point(x, i) = Vec3(0, -0.1 * i, 0), line.push_back(i);
    g.set_positions(x);
    g.add_primitive(PrimitiveType::Polyline, line);
    auto& pins = g.add<std::int32_t>(Owner::Point, "pintoanimation");
    pins[0] = 1;
    return g;
  };
  host.values = [](int) {
    return NodeValues{{"rodmodel", word("rope")},     {"ropestretch", number(100)},
                      {"ropebend", number(0.001)},    {"roddensity", number(1)},
                      {"settle", number(1)},          {"bendyield", number(5)},
                      {"bendhardening", number(0.5)}, {"creep", number(3)}};
  };
  SolverNode node;
  const NodeResult result = node.cook(3, host.source());
  EXPECT_NEAR(-result.geometry.position(10)[1], 1.0 + 9.81 / (2 * 100), 0.005);
}

}  // namespace
}  // namespace verve
