// Frames of a node on the disk: resumed, shown, known to be stale.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "NodeScenes.h"
#include "TemporaryFolder.h"

namespace verve {
namespace {

using test::Host, test::number, test::word;

/// A block that falls on a floor that rises; frames 1 to 14.
struct Falling : Host {
  explicit Falling(const std::string& to, double young = 1e5) {
    colliders = [](int frame) { return test::sheet(1, 4, -.3 + .01 * frame); };
    values = [=](int) {
      return NodeValues{{"cachefolder", word(to)}, {"cachename", word("block")},
                        {"endframe", number(14)},  {"checkpointevery", number(4)},
                        {"young", number(young)},  {"youngexp", word("0")},
                        {"quality", word("final")}};
    };
  }
  SolverNode::Source shown() {
    return [this](int frame) {
      NodeFrame f = at(frame);
      f.settings.disk.load = true;
      return f;
    };
  }
};

std::string bytes(const std::string& file) {
  std::ostringstream all;
  all << std::ifstream(file, std::ios::binary).rdbuf();
  return all.str();
}

std::string file(const std::string& folder, int frame) {
  char name[40];
  std::snprintf(name, sizeof name, "/v1/block_v1.%04d.bgeo", frame);
  return folder + name;
}

void expect_same_files(const std::string& one, const std::string& other) {
  for (int f = 1; f <= 14; ++f) {
    EXPECT_FALSE(bytes(file(one, f)).empty()) << f;
    EXPECT_EQ(bytes(file(one, f)), bytes(file(other, f))) << "frame " << f;
  }
}

/// Interrupts once `frames` of 14 are behind it.
SolverNode::Interrupt after(int frames) {
  return [=](double share) { return share >= frames / 14.0; };
}

TEST(SaveToDisk, WritesWhatTheNodeShows) {
  const TemporaryFolder folder;
  Falling host(folder.path());
  SolverNode node, live, disk;
  const SolverNode::Saved saved = node.save_to_disk(7, host.source());
  EXPECT_EQ(saved.first, 1);
  EXPECT_EQ(saved.last, 14);
  EXPECT_FALSE(saved.interrupted);
  for (double frame : {14., 3., 1., -2., 6.5}) {
    const NodeResult shown = disk.cook(frame, host.shown());
    EXPECT_FALSE(shown.stale);
    const Geometry made = live.cook(frame, host.source()).geometry;
    EXPECT_LT((shown.geometry.positions() - made.positions()).lpNorm<Eigen::Infinity>(), 1e-15) << frame;
    EXPECT_EQ(shown.geometry.attributes[1].size(), made.attributes[1].size());
  }
  EXPECT_TRUE(disk.cache().empty()) << "nothing is simulated";
}

TEST(SaveToDisk, GoesOnWhereItWasInterruptedToTheByte) {
  const TemporaryFolder one, other;
  Falling whole(one.path()), parts(other.path());
  SolverNode node;
  node.save_to_disk(1, whole.source());
  SolverNode first;
  EXPECT_TRUE(first.save_to_disk(1, parts.source(), after(6)).interrupted);
  EXPECT_EQ(first.save_to_disk(1, parts.source(), after(2)).from, 7) << "from memory";
  SolverNode second;  // another session
  const SolverNode::Saved saved = second.save_to_disk(1, parts.source());
  EXPECT_GT(saved.from, 7);
  EXPECT_EQ(saved.last, 14);
  EXPECT_EQ(second.cache().kept(), std::size_t(14 - saved.from + 3))
      << "the start, the checkpoint and what follows";
  expect_same_files(one.path(), other.path());
  EXPECT_EQ(second.save_to_disk(1, parts.source()).from, 15) << "nothing is left to do";
}

TEST(SaveToDisk, AKilledSaveGoesOnFromItsCheckpoint) {
  const TemporaryFolder one, other;
  Falling whole(one.path()), parts(other.path());
  SolverNode node;
  node.save_to_disk(1, whole.source());
  // As if it had been killed after frame 10: the list and the checkpoint are of frame 8.
  for (const auto& entry : std::filesystem::directory_iterator(one.path() + "/v1")) {
    std::filesystem::create_directories(other.path() + "/v1");
    std::filesystem::copy(entry.path(), other.path() + "/v1/" + entry.path().filename().string());
  }
  for (int f = 11; f <= 14; ++f) std::filesystem::remove(file(other.path(), f));
  SolverNode half;
  Falling to_eight(other.path());
  const TemporaryFolder third;
  Falling again(third.path());
  again.values = [values = again.values](int frame) {
    NodeValues v = values(frame);
    v["endframe"] = number(8);
    return v;
  };
  half.save_to_disk(1, again.source());
  for (const char* name : {"/v1/block_v1.inputs", "/v1/block_v1.checkpoint"})
    std::filesystem::copy(third.path() + name, other.path() + name,
                          std::filesystem::copy_options::overwrite_existing);
  SolverNode next;
  EXPECT_EQ(next.save_to_disk(1, to_eight.source()).from, 9);
  expect_same_files(one.path(), other.path());
}

TEST(SaveToDisk, WhatChangedIsMadeAnewAndToldToBeStale) {
  const TemporaryFolder one, other;
  Falling before(one.path()), after_all(one.path(), 5e4), straight(other.path(), 5e4);
  SolverNode node, disk, fresh, unbroken;
  node.save_to_disk(1, before.source());
  const NodeResult stale = disk.cook(9, after_all.shown());
  EXPECT_TRUE(stale.stale);
  ASSERT_FALSE(stale.warnings.empty());
  EXPECT_NE(stale.warnings.back().find("is stale"), std::string::npos);
  EXPECT_EQ(fresh.save_to_disk(1, after_all.source()).from, 1);
  unbroken.save_to_disk(1, straight.source());
  expect_same_files(one.path(), other.path());
  EXPECT_FALSE(disk.cook(9, after_all.shown()).stale);
  // The collider changes from frame 6 on: what was before it stays.
  after_all.colliders =
      straight.colliders = [](int frame) { return test::sheet(1, 4, frame < 6 ? -.3 + .01 * frame : -.2); };
  EXPECT_EQ(fresh.save_to_disk(1, after_all.source()).from, 6);
  SolverNode other_way;
  std::filesystem::remove_all(other.path() + "/v1");
  other_way.save_to_disk(1, straight.source());
  expect_same_files(one.path(), other.path());
}

TEST(SaveToDisk, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  Falling host(folder.path());
  SolverNode node;
  const auto sentence = [&](const SolverNode::Source& source) -> std::string {
    try {
      node.cook(3, source);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(sentence(host.shown()).find("nothing was written there; press Save to Disk"), std::string::npos);
  node.save_to_disk(1, host.source());
  host.bodies = [](int) { return test::block({5, 1, 1}); };
  EXPECT_NE(sentence(host.shown()).find("are not those of the first input"), std::string::npos);
  std::ofstream(folder.path() + "/v1/block_v1.inputs") << "what?\n";
  EXPECT_NE(sentence(host.shown()).find("this is not what Save to Disk writes"), std::string::npos);
  Falling backwards(folder.path());
  backwards.values = [&](int frame) {
    NodeValues v = host.values(frame);
    v["startframe"] = number(20);
    return v;
  };
  EXPECT_THROW(node.save_to_disk(1, backwards.source()), Error);
}

}  // namespace
}  // namespace verve
