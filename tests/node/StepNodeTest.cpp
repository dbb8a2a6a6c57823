// Stepping by a host that keeps the state itself.
#include <gtest/gtest.h>

#include <cstring>

#include "NodeScenes.h"
#include "node/NodeExport.h"
#include "node/StepNode.h"

namespace verve {
namespace {

/// An object as a DOP network has it: geometry that every step writes to, and a node with its state.
struct Object {
  StepNode node;
  Geometry geometry = test::block();

  NodeFrame frame(double floor) const {
    NodeFrame f;
    f.settings = node_settings({{"targetstiffness", test::number(300)}});
    f.bodies = std::make_shared<Geometry>(geometry);
    f.colliders = std::make_shared<Geometry>(test::sheet(1, 4, floor));
    return f;
  }
  double floor(int step) const { return -.3 + .01 * step; }
  NodeResult advance() {
    // Another solver turns it soft half-way and pulls at its left end.
    const int step = node.begun() ? node.frame() + 1 : 0;
    for (float& s : geometry.add<float>(Owner::Point, "stiffness")) s = step < 6 ? 1.f : .1f;
    auto& weight = geometry.add<float>(Owner::Point, "targetweight");
    weight[0] = step > 2 ? 1.f : 0.f;
    auto& target = geometry.add<float>(Owner::Point, "targetP", 3);
    target[1] = float(.1 * step);
    NodeResult result = node.begun() ? node.step(frame(floor(step))) : node.begin(frame(floor(step)));
    put_attributes(geometry, result.geometry);
    return result;
  }
};

TEST(StepNode, ResumesExactlyFromCopiesAndFromBytes) {
  Object object;
  std::vector<Object> copies;
  std::vector<std::string> saved;
  for (int i = 0; i < 12; ++i) {
    object.advance();
    copies.push_back(object);
    saved.push_back(object.node.save());
  }
  EXPECT_EQ(object.node.frame(), 11);
  for (int from : {0, 4, 5, 9}) {
    Object copy = copies[std::size_t(from)], loaded = copies[std::size_t(from)];
    loaded.node = StepNode();
    loaded.node.load(saved[std::size_t(from)]);
    NodeResult a, b;
    for (int i = from + 1; i < 12; ++i) a = copy.advance(), b = loaded.advance();
    EXPECT_TRUE(same(copy.geometry, object.geometry)) << from;
    EXPECT_TRUE(same(loaded.geometry, object.geometry)) << from;
    EXPECT_EQ(loaded.node.save(), saved.back()) << from;
    EXPECT_LT(std::abs(b.report.ledger_error()), 1e-6);
  }
}

TEST(StepNode, LoadsWhatWasSavedBeforeThereWereConstraints) {
  Object object;
  for (int i = 0; i < 4; ++i) object.advance();
  Object loaded = object;
  std::string bytes = object.node.save();
  // Name, state, one energy, one target of five numbers; then came the colliders at once.
  std::uint64_t state = 0;
  std::memcpy(&state, bytes.data() + 8, sizeof state);
  const std::size_t links = 8 + 8 + state + 16 + 8 + 5 * sizeof(double);
  ASSERT_EQ(bytes.substr(links, 8), std::string(8, '\0')) << "none";
  bytes.erase(links, 8);
  bytes[7] = '1';
  loaded.node = StepNode();
  loaded.node.load(bytes);
  for (int i = 4; i < 8; ++i) object.advance(), loaded.advance();
  EXPECT_TRUE(same(loaded.geometry, object.geometry));
  bytes[7] = '3';
  try {
    loaded.node.load(bytes);
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("not one of this version"), std::string::npos) << error.what();
  }
}

TEST(StepNode, RefusesDamagedBytes) {
  Object object;
  object.advance();
  const std::string bytes = object.node.save();
  StepNode node;
  for (std::size_t size : {std::size_t(0), std::size_t(7), bytes.size() / 2, bytes.size() - 1})
    EXPECT_THROW(node.load(bytes.substr(0, size)), Error) << size;
  EXPECT_FALSE(node.begun());
}

}  // namespace
}  // namespace verve
