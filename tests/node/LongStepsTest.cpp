// Progress and cancel within steps, and the asynchronous integrator through both nodes.
#include <gtest/gtest.h>

#include "NodeScenes.h"
#include "node/NodeExport.h"
#include "node/StepNode.h"

namespace verve {
namespace {

using test::Host, test::number, test::word;

Host bouncing(const char* integrator) {
  Host host;
  host.bodies = [](int) {
    Geometry geometry = test::block();
    for (float& v : geometry.add<float>(Owner::Point, "stiffness")) v = .1f;
    return geometry;
  };
  host.colliders = [](int) { return test::sheet(1, 4, -.25); };
  host.values = [=](int) { return NodeValues{{"integrator", word(integrator)}}; };
  return host;
}

TEST(LongSteps, AreCancelledFromWithinAndLeaveTheLastGoodFrame) {
  for (const char* integrator : {"avf", "hp", "bdf2", "bathe", "asynchronous"}) {
    Host host = bouncing(integrator);
    SolverNode node, unbroken;
    node.cook(5, host.source());
    // The step's start is one call; any further one comes from within it.
    int calls = 0;
    EXPECT_THROW(node.cook(6, host.source(), [&](double) { return ++calls == 2; }), Cancelled) << integrator;
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(node.cache().last(), 5) << integrator;
    for (int f : {5, 8, 6})
      EXPECT_TRUE(same(node.cook(f, host.source()).geometry, unbroken.cook(f, host.source()).geometry))
          << integrator << f;
  }
}

TEST(LongSteps, AParameterThatChangesAfterACancelIsNotOverlooked) {
  Host host = bouncing("avf");
  SolverNode node, fresh;
  node.cook(5, host.source());
  EXPECT_THROW(node.cook(6, host.source(), [](double) { return true; }), Cancelled);
  host.values = [](int) { return NodeValues{{"young", number(3e4)}, {"youngexp", word("0")}}; };
  EXPECT_TRUE(same(node.cook(6, host.source()).geometry, fresh.cook(6, host.source()).geometry));
}

TEST(Asynchronous, TellsItsProgressWithinAFrame) {
  Host host = bouncing("asynchronous");
  host.values = [](int) {
    return NodeValues{{"integrator", word("asynchronous")}, {"integrator_safety", number(.0002)}};
  };
  SolverNode node;
  std::vector<double> shares;
  const auto listen = [&](double share) {
    shares.push_back(share);
    return false;
  };
  node.cook(2, host.source(), listen);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_GT(std::count_if(shares.begin(), shares.end(), [](double s) { return s > 0 && s < 1; }), 3);

  StepNode step;
  step.begin(host.at(1));
  shares.clear();
  step.step(host.at(2), listen);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_GT(std::count_if(shares.begin(), shares.end(), [](double s) { return s > 0 && s < 1; }), 3);
}

TEST(Asynchronous, CooksTheSameThroughBothNodesAndMarksContact) {
  Host host = bouncing("asynchronous");
  SolverNode node;
  StepNode step;
  Geometry stepped = *host.at(1).bodies;
  std::size_t marked = 0;
  for (int f = 1; f <= 10; ++f) {
    const NodeResult cooked = node.cook(f, host.source());
    NodeFrame frame = host.at(f);
    frame.bodies = std::make_shared<Geometry>(stepped);
    const NodeResult made = f == 1 ? step.begin(frame) : step.step(frame);
    put_attributes(stepped, made.geometry);
    EXPECT_EQ(made.geometry.positions(), cooked.geometry.positions()) << f;
    const Attribute* contact = cooked.geometry.find(Owner::Point, "contact");
    ASSERT_TRUE(contact);
    std::size_t here = 0;
    int lowest = 0;
    for (int i = 0; i < cooked.geometry.point_count; ++i) {
      here += contact->number(std::size_t(i)) != 0;
      if (cooked.geometry.position(i)[1] < cooked.geometry.position(lowest)[1]) lowest = i;
    }
    // All corners of an edge or face that touches are marked; the one nearest to the floor is among them.
    if (here > 0) {
      EXPECT_EQ(contact->number(std::size_t(lowest)), 1) << f;
    }
    EXPECT_EQ(here > 0, cooked.report.contacts > 0) << f;
    marked += here;
  }
  EXPECT_GT(marked, 0u);
}

TEST(StepNode, CancelledWithinAStepItStaysWhereItWas) {
  Host host = bouncing("avf");
  StepNode node;
  node.begin(host.at(1));
  // Until it touches: free flight takes no iterations to look between.
  int frame = 2;
  while (node.step(host.at(frame)).report.contacts == 0 && frame < 40) ++frame;
  ++frame;
  const std::string before = node.save();
  int calls = 0;
  EXPECT_THROW(node.step(host.at(frame), [&](double) { return ++calls == 2; }), Cancelled);
  EXPECT_EQ(node.save(), before);
  StepNode other;
  other.load(before);
  EXPECT_TRUE(same(node.step(host.at(frame)).geometry, other.step(host.at(frame)).geometry));
}

}  // namespace
}  // namespace verve
