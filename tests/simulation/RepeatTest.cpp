// Runs repeat to the bit, whatever the number of threads, and resumed as if never stopped.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "Scenes.h"
#include "base/Parallel.h"
#include "simulation/Checkpoint.h"

namespace verve {
namespace {

Vector after(const Scene& scene, int frames, int threads) {
  const ThreadLimit limit(threads);
  Simulation simulation(scene);
  for (int i = 0; i < frames; ++i) simulation.advance();
  return simulation.state().x;
}

TEST(Repeat, SameBitsAtTheSameThreadCount) {
  for (int threads : {1, 2}) {
    EXPECT_EQ(after(test::bar_scene(), 20, threads), after(test::bar_scene(), 20, threads));
    EXPECT_EQ(after(test::sheet_scene(), 20, threads), after(test::sheet_scene(), 20, threads));
  }
}

TEST(Repeat, SameBitsAtEveryThreadCount) {
  EXPECT_EQ(after(test::bar_scene(), 10, 1), after(test::bar_scene(), 10, 2));
  EXPECT_EQ(after(test::sheet_scene(), 10, 1), after(test::sheet_scene(), 10, 2));
}

class CheckpointTest : public testing::Test {
 protected:
  std::string path =
      (std::filesystem::temp_directory_path() / ("verve_checkpoint_" + std::to_string(::getpid()))).string();
  ~CheckpointTest() override { std::filesystem::remove(path); }
};

TEST_F(CheckpointTest, ResumedRunsEqualUnbrokenOnes) {
  for (IntegratorType type : {IntegratorType::avf, IntegratorType::bdf2}) {
    Scene scene = test::bar_scene();
    scene.integrator.type = type;
    scene.integrator.project_momentum = type == IntegratorType::avf;
    TargetSet target;
    target.points = {0, 1};
    target.stiffness = 5;
    scene.targets.push_back(target);
    Simulation unbroken(scene);
    for (int i = 0; i < 7; ++i) unbroken.advance();
    write_checkpoint(path, {42, unbroken.frame(), unbroken.state()});
    for (int i = 0; i < 5; ++i) unbroken.advance();

    const Checkpoint saved = read_checkpoint(path);
    EXPECT_EQ(saved.fingerprint, 42u);
    Simulation resumed(scene);
    resumed.restore(saved.frame, saved.state);
    for (int i = 0; i < 5; ++i) resumed.advance();
    EXPECT_EQ(resumed.state().x, unbroken.state().x);
    EXPECT_EQ(resumed.state().v, unbroken.state().v);
    EXPECT_EQ(resumed.state().ledger.work, unbroken.state().ledger.work);
    EXPECT_EQ(resumed.report().ledger_error(), unbroken.report().ledger_error());
  }
}

TEST_F(CheckpointTest, DamagedFilesAreErrors) {
  const Scene scene = test::bar_scene(TetModel::stvk, 1.1, 0, {2, 1, 1});
  Simulation simulation(scene);
  write_checkpoint(path, {1, 1, simulation.state()});
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (std::size_t cut :
       {std::size_t(0), std::size_t(5), std::size_t(16), bytes.size() / 2, bytes.size() - 1}) {
    std::ofstream(path, std::ios::binary) << bytes.substr(0, cut);
    EXPECT_THROW(read_checkpoint(path), Error) << cut;
  }
  std::string flipped = bytes;
  flipped[bytes.size() / 2] ^= 1;
  std::ofstream(path, std::ios::binary) << flipped;
  EXPECT_THROW(read_checkpoint(path), Error);
  EXPECT_THROW(read_checkpoint(path + ".missing"), Error);
}

}  // namespace
}  // namespace verve
