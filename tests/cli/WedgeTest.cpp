// Variants of a scene: side by side, resumed, failing alone; and the same bytes through Slurm.
#include <filesystem>

#include "Clients.h"
#include "cli/Program.h"
#include "parameters/SceneCheck.h"

namespace verve::test {
namespace {

namespace fs = std::filesystem;

/// Long enough to be stopped half-way.
std::string scene(int frames, int substeps) {
  return R"({"frames": [1, )" + std::to_string(frames) + R"(], "substeps": )" + std::to_string(substeps) +
         R"(, "bodies": [{"geometry": {"shape": "bar", "cells": [12, 2, 2]}, "stretch": 1.3, "twist": 1,
             "pins": [{"box": [[-1, -1, -1], [-0.49, 1, 1]]}]}], "output": {"checkpoint_every": 7}})";
}

std::string wedge_folder(const std::string& wedges, int number) {
  char prefix[16];
  std::snprintf(prefix, sizeof prefix, "%03d", number);
  for (const auto& entry : fs::directory_iterator(wedges))
    if (entry.path().filename().string().rfind(prefix, 0) == 0) return entry.path().string();
  ADD_FAILURE() << "no wedge " << number << " in " << wedges;
  return wedges;
}

/// Frames, checkpoint and report (but for the seconds that it took) by name.
std::map<std::string, std::string> results(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".bgeo.sc") != std::string::npos || name == "checkpoint.verve")
      files[name] = read_bytes(entry.path().string());
  }
  for (const auto& [column, values] : Report(folder + "/report.csv").columns)
    if (column != "seconds")
      for (double value : values) files["report " + column] += std::to_string(value) + ",";
  return files;
}

std::string state(const std::string& wedge) {
  return Json::parse(read_bytes(wedge + "/state.json")).value("state", "");
}

TEST(Wedge, RunsAllCombinationsAsRunWould) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene(6, 1));
  const Outcome wedge = verve_program(folder, {"wedge", "s.json", "--vary", "substeps=1,2", "--vary",
                                               "gravity=[0,0,0],[0,-9.81,0]", "--out", "w"});
  ASSERT_EQ(wedge.code, 0) << wedge.err;
  const Outcome alone = verve_program(folder, {"run", "s.json", "--out", "alone", "--set", "substeps=2",
                                               "--set", "gravity=[0,-9.81,0]", "--quiet"});
  ASSERT_EQ(alone.code, 0);
  EXPECT_TRUE(results(wedge_folder(folder / "w", 4)) == results(folder / "alone"));
  EXPECT_FALSE(results(wedge_folder(folder / "w", 3)) == results(folder / "alone"));
  const std::string table = read_bytes(folder / "w/wedges.csv");
  EXPECT_NE(table.find("4,004-substeps-2-gravity-_0_-9.81_0_,2,\"[0,-9.81,0]\",done,1,6"), std::string::npos)
      << table;
}

TEST(Wedge, FailsAloneAndSaysWhy) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", R"({"frames": [1, 4], "bodies": [{"geometry": {"file": "a.obj"}}]})");
  write_text(folder / "a.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n");
  const Outcome wedge = verve_program(
      folder, {"wedge", "s.json", "--vary", "bodies[0].geometry.file=a.obj,gone.obj,a.obj", "--out", "w"});
  EXPECT_EQ(wedge.code, 1);
  EXPECT_EQ(state(wedge_folder(folder / "w", 1)), "done");
  EXPECT_EQ(state(wedge_folder(folder / "w", 2)), "failed");
  EXPECT_EQ(state(wedge_folder(folder / "w", 3)), "done");
  const Outcome status = verve_program(folder, {"wedge", "--status", "w"});
  EXPECT_EQ(status.code, 1);
  EXPECT_NE(status.out.find("gone.obj"), std::string::npos) << status.out;
}

TEST(Wedge, RefusesWrongKeysBeforeAnythingRuns) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene(6, 1));
  for (const auto& [vary, part] :
       std::vector<std::pair<std::string, std::string>>{{"substep=1,2", "'substeps'"},
                                                        {"foo.bar=1,2", "known are frames, fps, "},
                                                        {"dampin.delta=1,2", "'damping.delta'"},
                                                        {"substeps=1,0", "substeps"},
                                                        {"substeps=1,,2", "missing"},
                                                        {"substeps", "key.path=a,b,c"}}) {
    const Outcome wedge = verve_program(folder, {"wedge", "s.json", "--vary", vary, "--out", "w"});
    EXPECT_EQ(wedge.code, 2) << vary;
    EXPECT_NE(wedge.err.find(part), std::string::npos) << wedge.err;
    EXPECT_FALSE(fs::exists(folder / "w"));
  }
  EXPECT_EQ(verve_program(folder, {"wedge", "s.json", "--out", "w"}).code, 2);
  EXPECT_EQ(verve_program(folder, {"wedge", "--status", "w"}).code, 2);
  EXPECT_EQ(verve_program(folder, {"wedge"}).code, 2);
}

TEST(Wedge, StoppedAndResumedLeavesTheSameBytes) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene(30, 2));
  const std::vector<std::string> words = {"wedge", "s.json", "--vary", "fps=24,25", "--out"};
  auto whole = words, broken = words;
  whole.push_back("whole"), broken.push_back("broken");
  ASSERT_EQ(verve_program(folder, whole).code, 0);
  Program run(folder.path(), broken);
  ASSERT_TRUE(run.wait_for(folder / "broken/002-fps-25/s.0009.bgeo.sc"));
  run.send(SIGTERM);
  ASSERT_EQ(run.wait().code, 130);
  ASSERT_EQ(state(folder / "broken/002-fps-25"), "interrupted");
  auto other = broken;
  other[3] = "fps=24,26";
  other.push_back("--resume");
  EXPECT_EQ(verve_program(folder, other).code, 2);
  broken.push_back("--resume");
  const Outcome resumed = verve_program(folder, broken);
  ASSERT_EQ(resumed.code, 0) << resumed.err << resumed.out;
  for (int wedge : {1, 2})
    EXPECT_EQ(results(wedge_folder(folder / "whole", wedge)),
              results(wedge_folder(folder / "broken", wedge)));
}

TEST(Wedge, LeavesNoRunsBehindWhenKilled) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene(4000, 3));
  Program run(folder.path(), {"wedge", "s.json", "--vary", "fps=24,25", "--out", "w"});
  const std::string last = folder / "w/002-fps-25/s.0003.bgeo.sc";
  ASSERT_TRUE(run.wait_for(last));
  run.send(SIGKILL);
  ASSERT_EQ(run.wait().code, -SIGKILL);
  // The runs save and go: soon nothing is added any more.
  std::string before, now = "-";
  for (int i = 0; i < 30 && before != now; ++i) {
    before = now;
    ::usleep(300000);
    now = read_bytes(folder / "w/002-fps-25/report.csv");
  }
  EXPECT_TRUE(before == now) << "a run went on alone";
  EXPECT_LT(Report(folder / "w/002-fps-25/report.csv").columns.at("frame").back(), 4000);
  const Outcome status = verve_program(folder, {"wedge", "--status", "w"});
  EXPECT_NE(status.out.find("stopped"), std::string::npos) << status.out;
}

/// Starts a Slurm of one node, and stops it.
class Slurm {
 public:
  Slurm() {
    char name[] =
        "/tmp/verve_slurm_XXXXXX";  // not where only its owner may enter, as munge does not run as root
    folder_ = ::mkdtemp(name);
    fs::permissions(folder_, fs::perms(0755));
    up_ = std::system((script() + " start " + folder_ + " > /dev/null").c_str()) == 0;
    ::setenv("SLURM_CONF", (folder_ + "/slurm.conf").c_str(), 1);
  }
  ~Slurm() {
    runs(script() + " stop " + folder_);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  bool up() const { return up_; }

 private:
  static std::string script() { return std::string(VERVE_TEST_CLIENTS) + "/slurm.sh"; }
  std::string folder_;
  bool up_;
};

TEST(Wedge, SlurmRunsAnArrayWithOneThatFailsAndOneThatIsRequeued) {
  VERVE_NEEDS_CLIENT(runs("which slurmctld slurmd sbatch munged"), "Slurm is not installed");
  if (::getuid() != 0) GTEST_SKIP() << "a Slurm of one's own needs root";
  const TemporaryFolder folder;
  const Slurm slurm;
  ASSERT_TRUE(slurm.up());
  write_text(folder / "s.json", scene(60, 4));
  // The second one names a file that is not there.
  const std::string vary = R"(bodies[0].geometry={"shape":"bar","cells":[12,2,2]},{"file":"gone.msh"},)"
                           R"({"shape":"bar","cells":[14,2,2]})";
  const std::string wedges = "we $(touch owned) 'd\"ges\n";
  const std::vector<std::string> words = {"wedge", "s.json", "--vary", vary, "--out"};
  auto local = words, farm = words;
  local.push_back("local"), farm.insert(farm.end(), {wedges, "--slurm"});
  ASSERT_EQ(verve_program(folder, local).code, 1);
  const Outcome submitted = verve_program(folder, farm);
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  const std::string job = Json::parse(read_bytes(folder / (wedges + "/wedges.json"))).value("job", "");
  ASSERT_FALSE(job.empty());

  // The third is sent back to the queue half-way.
  const std::string third = wedge_folder(folder / wedges, 3);
  const auto wait = [&](const auto& done) {
    for (int i = 0; i < 6000 && !done(); ++i) ::usleep(50000);
    return done();
  };
  ASSERT_TRUE(wait([&] { return fs::exists(third + "/s.0012.bgeo.sc"); }));
  ASSERT_TRUE(runs("scontrol requeue " + job + "_3"));
  ASSERT_TRUE(wait([&] { return fs::exists(third + "/state.json") && state(third) != "running"; }));
  EXPECT_FALSE(fs::exists(third + "/s.0060.bgeo.sc")) << "requeued too late to tell";
  // Slurm lets a requeued task wait for two minutes, unless it is told otherwise once it is back in the
  // queue.
  const auto hurry = [&] { runs("scontrol update jobid=" + job + "_3 starttime=now"); };
  int asked = 0;
  EXPECT_TRUE(wait([&] {
    if (asked++ % 20 == 0) hurry();
    return state(third) == "done" && fs::exists(wedge_folder(folder / wedges, 1) + "/state.json") &&
           state(wedge_folder(folder / wedges, 1)) == "done";
  })) << read_bytes(third + "/log.txt");

  const Outcome status = verve_program(folder, {"wedge", "--status", wedges});
  EXPECT_EQ(status.code, 1);
  EXPECT_NE(status.out.find("gone.msh"), std::string::npos) << status.out;
  EXPECT_EQ(state(wedge_folder(folder / wedges, 2)), "failed");
  EXPECT_EQ(Json::parse(read_bytes(third + "/state.json")).value("attempts", 0), 2);
  for (int wedge : {1, 3})
    EXPECT_EQ(results(wedge_folder(folder / "local", wedge)), results(wedge_folder(folder / wedges, wedge)))
        << wedge;
  for (const std::string& place : {folder.path(), std::string("/"), folder / wedges, third})
    EXPECT_FALSE(fs::exists(place + "/owned")) << place;
}

}  // namespace
}  // namespace verve::test
