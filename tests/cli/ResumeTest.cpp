// Runs that are stopped in every way go on as if nothing had happened.
#include "cli/Program.h"

namespace verve::test {
namespace {

constexpr int frames = 40;

std::string scene() {
  return R"({"frames": [1, 40], "substeps": 3, "bodies": [{"geometry": {"shape": "bar", "cells": [12, 2, 2]},
      "stretch": 1.3, "twist": 1, "pins": [{"box": [[-1, -1, -1], [-0.49, 1, 1]]}]}],
      "output": {"checkpoint_every": 7}})";
}

std::string frame_file(const std::string& run, int frame) {
  char name[64];
  std::snprintf(name, sizeof name, "/s.%04d.bgeo.sc", frame);
  return run + name;
}

/// report.csv without the column that tells the wall clock's seconds.
std::string timeless_report(const std::string& path) {
  std::istringstream text(read_bytes(path));
  std::string result, line, cell;
  int skipped = -1;
  while (std::getline(text, line)) {
    std::istringstream row(line);
    for (int i = 0; std::getline(row, cell, ','); ++i) {
      if (cell == "seconds") skipped = i;
      if (i != skipped) result += cell + ",";
    }
    result += "\n";
  }
  return result;
}

class Resume : public testing::TestWithParam<int> {};

TEST_P(Resume, LeavesTheSameBytes) {
  const int signal = GetParam();
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene());
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "whole", "--quiet"}).code, 0);

  // Stopped twice, at frames between checkpoints.
  const std::vector<std::string> words = {"run", "s.json", "--out", "broken", "--quiet", "--resume"};
  for (int at : {9, 19}) {
    Program run(folder.path(), words);
    ASSERT_TRUE(run.wait_for(folder / frame_file("broken", at))) << run.wait().err;
    run.send(signal);
    const Outcome outcome = run.wait();
    ASSERT_EQ(outcome.code, signal == SIGKILL ? -SIGKILL : 130) << outcome.err;
    ASSERT_FALSE(std::filesystem::exists(folder / frame_file("broken", frames)))
        << "stopped too late to tell";
  }
  const Outcome last = verve_program(folder, words);
  ASSERT_EQ(last.code, 0) << last.err;
  for (int f = 1; f <= frames; ++f)
    ASSERT_EQ(read_bytes(folder / frame_file("whole", f)), read_bytes(folder / frame_file("broken", f))) << f;
  EXPECT_EQ(timeless_report(folder / "whole/report.csv"), timeless_report(folder / "broken/report.csv"));
  EXPECT_TRUE(read_bytes(folder / "whole/checkpoint.verve") ==
              read_bytes(folder / "broken/checkpoint.verve"));
}

INSTANTIATE_TEST_SUITE_P(Signals, Resume, testing::Values(SIGINT, SIGTERM, SIGKILL));

TEST(ResumedRun, RefusesAnotherScene) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene());
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--frames", "1-2"}).code, 0);
  const Outcome other = verve_program(folder, {"run", "s.json", "--out", "o", "--resume", "--set", "fps=25"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("different scene"), std::string::npos) << other.err;
}

}  // namespace
}  // namespace verve::test
