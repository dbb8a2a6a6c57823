#include "mesh/SpringNet.h"

#include <algorithm>
#include <set>

#include "mesh/MeshTestTools.h"
#include "mesh/Shapes.h"

namespace verve {
namespace {

using Pairs = std::vector<std::array<int, 2>>;

void expect_no_doubles(const SpringNet& net) {
  std::set<std::array<int, 2>> seen;
  for (const Pairs* pairs : {&net.stretch, &net.bend})
    for (const auto& s : *pairs) {
      EXPECT_NE(s[0], s[1]);
      EXPECT_TRUE(seen.insert({std::min(s[0], s[1]), std::max(s[0], s[1])}).second);
    }
}

TEST(SpringNet, SheetHasEdgesAndOneBendSpringAnInnerEdge) {
  const SpringNet net = make_spring_net(make_sheet({1, 1}, {3, 2}));
  // Edges along x, along z and one diagonal a cell.
  EXPECT_EQ(net.stretch.size(), 3u * 3 + 4 * 2 + 6);
  const std::size_t inner = net.stretch.size() - 2 * (3 + 2);
  // Two inner edges may have the same opposite points, and those two points may be an edge.
  EXPECT_LE(net.bend.size(), inner);
  EXPECT_GT(net.bend.size(), inner / 2);
  expect_no_doubles(net);
}

TEST(SpringNet, TwoTrianglesBendAcrossTheirEdge) {
  const TriangleMesh two{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {1, 3, 2}}};
  const SpringNet net = make_spring_net(two);
  EXPECT_EQ(net.stretch, (Pairs{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(net.bend, (Pairs{{0, 3}}));
}

TEST(SpringNet, BendSpringThatIsAnEdgeIsDropped) {
  const TriangleMesh tet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                         {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const SpringNet net = make_spring_net(tet);
  EXPECT_EQ(net.stretch.size(), 6u);
  EXPECT_TRUE(net.bend.empty());
}

TEST(SpringNet, FoldWithThreeTrianglesAtAnEdgeJoinsEveryTwo) {
  const TriangleMesh fold{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}},
                          {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}};
  EXPECT_EQ(make_spring_net(fold).bend, (Pairs{{2, 3}, {2, 4}, {3, 4}}));
}

TEST(SpringNet, StringsBendOverOnePoint) {
  const std::vector<Vec3> points(6, Vec3::Zero());
  const SpringNet open = make_spring_net(points, {{0, 1, 2, 3}});
  EXPECT_EQ(open.stretch, (Pairs{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(open.bend, (Pairs{{0, 2}, {1, 3}}));
  const SpringNet loop = make_spring_net(points, {{0, 1, 2, 3, 4, 0}});
  EXPECT_EQ(loop.stretch.size(), 5u);
  EXPECT_EQ(loop.bend.size(), 5u);
  expect_no_doubles(loop);
}

TEST(SpringNet, NamesTheOffendingElement) {
  EXPECT_TRUE(contains(error_of([] { make_spring_net({{{0, 0, 0}}, {{0, 0, 7}}}); }), "point 7"));
  EXPECT_TRUE(contains(error_of([] {
                         make_spring_net({{{0, 0, 0}, {1, 0, 0}}, {{0, 1, 0}}});
                       }),
                       "triangle 0"));
  EXPECT_TRUE(contains(error_of([] { make_spring_net({{0, 0, 0}}, {{0, 0}}); }), "line 0"));
}

}  // namespace
}  // namespace verve
