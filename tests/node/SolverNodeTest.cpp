// Any frame in any order: what a host asks of a node.
#include <gtest/gtest.h>

#include "NodeScenes.h"

namespace verve {
namespace {

using test::Host, test::number, test::word;

Geometry pinned_block(int) {
  Geometry geometry = test::block();
  test::mark_left(geometry, "pintoanimation", -.49);
  return geometry;
}

/// Every frame in order from a fresh node: what all other orders have to agree with.
Geometry in_order(Host host, int frame) {
  SolverNode node;
  for (int f = 1; f < frame; ++f) node.cook(f, host.source());
  return node.cook(frame, host.source()).geometry;
}

TEST(Node, GivesTheSameFrameInEveryOrder) {
  Host host;
  host.bodies = pinned_block;
  SolverNode node;
  const Geometry ten = node.cook(10, host.source()).geometry;  // skips ahead
  EXPECT_TRUE(same(ten, in_order(host, 10)));
  EXPECT_TRUE(same(node.cook(4, host.source()).geometry, in_order(host, 4)));  // scrubs back
  EXPECT_TRUE(same(node.cook(12, host.source()).geometry, in_order(host, 12)));
  EXPECT_TRUE(same(node.cook(10, host.source()).geometry, ten));
  EXPECT_FALSE(same(ten, in_order(host, 9)));
}

TEST(Node, ShowsTheStartBeforeItsStartFrame) {
  Host host;
  host.values = [](int) { return NodeValues{{"startframe", number(5)}}; };
  SolverNode node;
  const Geometry start = node.cook(5, host.source()).geometry;
  EXPECT_EQ(start.positions(), test::block().positions());
  EXPECT_EQ(node.cook(-3, host.source()).geometry.positions(), start.positions());
  EXPECT_LT(node.cook(6, host.source()).geometry.position(0)[1], start.position(0)[1]) << "it falls";
}

TEST(Node, DropsFramesBeyondItsMemoryAndMakesThemAgainToTheBit) {
  Host host;
  host.bodies = pinned_block;
  SolverNode roomy;
  roomy.cook(20, host.source());
  const double frame_bytes = double(roomy.cache().bytes()) / 20;
  EXPECT_EQ(roomy.cache().kept(), 20u);

  host.values = [&](int) { return NodeValues{{"cachesize", number(6 * frame_bytes / 1024 / 1024)}}; };
  SolverNode node;
  node.cook(20, host.source());
  EXPECT_LE(double(node.cache().bytes()), 6.2 * frame_bytes);
  EXPECT_LT(node.cache().kept(), 7u);
  for (int f : {3, 13, 8, 19, 1})
    EXPECT_TRUE(same(node.cook(f, host.source()).geometry, roomy.cook(f, host.source()).geometry)) << f;
}

TEST(Node, MakesFramesAnewWhenAParameterChanges) {
  Host host;
  host.bodies = pinned_block;
  SolverNode node;
  node.cook(8, host.source());
  host.values = [](int) { return NodeValues{{"young", number(4000)}, {"youngexp", word("0")}}; };
  EXPECT_TRUE(same(node.cook(8, host.source()).geometry, in_order(host, 8)));
  // The next frame is not known yet, so nothing tells but the settings themselves.
  host.values = [](int) { return NodeValues{{"young", number(8000)}, {"youngexp", word("0")}}; };
  const NodeResult nine = node.cook(9, host.source());
  EXPECT_TRUE(same(nine.geometry, in_order(host, 9)));
  EXPECT_FALSE(nine.stale);
}

TEST(Node, KeepsStaleFramesAndSaysSoUntilReset) {
  Host host;
  host.bodies = pinned_block;
  host.values = [](int) { return NodeValues{{"onchange", word("keep")}}; };
  SolverNode node;
  const Geometry before = node.cook(6, host.source()).geometry;
  host.values = [](int) {
    return NodeValues{{"onchange", word("keep")}, {"young", number(4000)}, {"youngexp", word("0")}};
  };
  const NodeResult stale = node.cook(6, host.source());
  EXPECT_TRUE(stale.stale);
  EXPECT_EQ(stale.geometry.positions(), before.positions());
  EXPECT_EQ(stale.geometry.find(Owner::Detail, "stale")->number(0), 1);
  ASSERT_FALSE(stale.warnings.empty());
  EXPECT_NE(stale.warnings.back().find("stale"), std::string::npos);

  host.values = [](int) {
    return NodeValues{
        {"onchange", word("keep")}, {"young", number(4000)}, {"youngexp", word("0")}, {"reset", number(1)}};
  };
  const NodeResult fresh = node.cook(6, host.source());
  EXPECT_FALSE(fresh.stale);
  EXPECT_FALSE(fresh.geometry.find(Owner::Detail, "stale"));
  EXPECT_TRUE(same(fresh.geometry, in_order(host, 6)));
}

TEST(Node, KeptFramesAreGoodAgainWhenTheChangeIsTakenBack) {
  Host host;
  host.bodies = pinned_block;
  const auto with = [](double young) {
    return [=](int) {
      return NodeValues{{"onchange", word("keep")}, {"young", number(young)}, {"youngexp", word("0")}};
    };
  };
  host.values = with(1e5);
  SolverNode node;
  node.cook(6, host.source());
  host.values = with(4000);
  EXPECT_TRUE(node.cook(3, host.source()).stale);
  EXPECT_TRUE(node.cook(6, host.source()).stale);
  EXPECT_TRUE(node.cook(7, host.source()).stale) << "made from stale ones";

  host.values = with(1e5);
  for (int f : {6, 3, 1}) {
    const NodeResult good = node.cook(f, host.source());
    EXPECT_FALSE(good.stale) << f;
    EXPECT_TRUE(same(good.geometry, in_order(host, f))) << f;
  }
  EXPECT_TRUE(node.cook(7, host.source()).stale) << "made with the other parameter";
  host.values = with(4000);
  EXPECT_TRUE(node.cook(2, host.source()).stale) << "and changed again";
  host.values = [](int) { return NodeValues{{"young", number(1e5)}, {"youngexp", word("0")}}; };
  EXPECT_TRUE(same(node.cook(7, host.source()).geometry, in_order(host, 7))) << "not to be kept any longer";
  EXPECT_FALSE(node.cook(7, host.source()).stale);
}

TEST(Node, AnimatedParametersAreNoChange) {
  Host host;
  host.bodies = pinned_block;
  host.values = [](int frame) {
    return NodeValues{{"young", number(1e4 + 1e3 * frame)}, {"youngexp", word("0")}};
  };
  SolverNode node;
  for (int f = 1; f <= 6; ++f) node.cook(f, host.source());
  EXPECT_TRUE(same(node.cook(6, host.source()).geometry, in_order(host, 6)));
  host.asked.clear();
  EXPECT_FALSE(node.cook(7, host.source()).stale);
  EXPECT_EQ(host.asked, (std::vector<int>{7, 6})) << "one look back tells that the parameter is animated";
}

TEST(Node, OnlySimulatesWhatAChangeOfTheInputTouches) {
  Host host;
  int edited = 100;
  host.bodies = [&](int frame) {
    Geometry geometry = pinned_block(frame);
    if (frame >= edited) test::move(geometry, {0, .01, 0});
    return geometry;
  };
  SolverNode node;
  node.cook(10, host.source());
  edited = 7;
  EXPECT_TRUE(same(node.cook(10, host.source()).geometry, in_order(host, 10)));
  EXPECT_TRUE(node.cache().knows(6));
}

TEST(Node, StopsWhenInterruptedAndGoesOn) {
  Host host;
  host.bodies = pinned_block;
  SolverNode node;
  double last = -1;
  const auto impatient = [&](double share) { return (last = share) >= 0.5; };
  EXPECT_THROW(node.cook(9, host.source(), impatient), Cancelled);
  EXPECT_EQ(last, 0.5);
  EXPECT_EQ(node.cache().last(), 5);
  EXPECT_TRUE(same(node.cook(9, host.source()).geometry, in_order(host, 9)));
}

TEST(Node, LiesOnTheStraightLineBetweenFrames) {
  Host host;
  SolverNode node;
  const Vector a = node.cook(3, host.source()).geometry.positions();
  const Vector b = node.cook(4, host.source()).geometry.positions();
  const Vector mixed = node.cook(3.25, host.source()).geometry.positions();
  EXPECT_LT((mixed - (a + .25 * (b - a))).cwiseAbs().maxCoeff(), 1e-6);  // P is in single precision
}

TEST(Node, SavesAndLoadsItsState) {
  Host host;
  host.bodies = pinned_block;
  SolverNode node;
  EXPECT_TRUE(node.save().empty());
  node.cook(6, host.source());
  const std::string bytes = node.save();
  SolverNode other;
  other.load(bytes, host.at(1), host.source());
  EXPECT_EQ(other.cache().last(), 6);
  EXPECT_TRUE(same(other.cook(9, host.source()).geometry, in_order(host, 9)));

  std::string damaged = bytes;
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_THROW(other.load(damaged, host.at(1), host.source()), Error);
  host.values = [](int) { return NodeValues{{"young", number(1)}, {"youngexp", word("0")}}; };
  EXPECT_THROW(other.load(bytes, host.at(1), host.source()), Error);
}

TEST(Node, ATopologyThatChangesIsNamedWithItsFrame) {
  Host host;
  host.bodies = [](int frame) { return frame < 5 ? test::block() : test::block({5, 1, 1}); };
  SolverNode node;
  try {
    node.cook(8, host.source());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("frame 5: "), 0u) << error.what();
  }
  EXPECT_EQ(node.cache().last(), 4);
  host = Host();
  host.colliders = [](int frame) { return test::sheet(frame < 3 ? 2 : 3, 4, -1); };
  SolverNode collided;
  EXPECT_NO_THROW(collided.cook(2, host.source()));
  EXPECT_THROW(collided.cook(3, host.source()), Error);
}

TEST(Node, SlowMotionIsTheSameMotion) {
  Host host;
  host.bodies = pinned_block;
  SolverNode node, slow;
  const Vector five = node.cook(5, host.source()).geometry.positions();
  host.values = [](int) { return NodeValues{{"timescale", number(.5)}, {"substeps", number(1)}}; };
  const Vector nine = slow.cook(9, host.source()).geometry.positions();
  // Half the time step: the two differ by the integrator's error, not by half the way.
  const double way = (five - pinned_block(1).positions()).norm();
  EXPECT_GT(way, .01);
  EXPECT_LT((five - nine).norm(), .1 * way);
}

}  // namespace
}  // namespace verve
