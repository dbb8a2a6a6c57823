// Runs that are stopped in every way go on as if nothing had happened.
#include <chrono>
#include <iostream>
#include <random>

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

/// Every file of a run's folder, hidden ones too, without what the wall clock has in it.
std::map<std::string, std::string> timeless_contents(const std::string& run) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(run)) {
    const std::string path = entry.path().string(), name = entry.path().filename().string();
    files[name] = name == "report.csv" ? timeless_report(path) : read_bytes(path);
  }
  return files;
}

/// VERVE_KILLS in the environment says how often; a few times otherwise.
TEST(KilledRun, GoesOnFromAnyMoment) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene());
  const auto begun = std::chrono::steady_clock::now();
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "whole", "--quiet"}).code, 0);
  const auto span =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  const auto whole = timeless_contents(folder / "whole");

  const char* asked = std::getenv("VERVE_KILLS");
  int left = asked ? std::atoi(asked) : 6;
  std::mt19937 random(1);
  std::vector<int> reached;
  const std::vector<std::string> words = {"run", "s.json", "--out", "broken", "--quiet", "--resume"};
  for (bool finished = false; left > 0 || !finished;) {
    Program run(folder.path(), words);
    if (left > 0) {
      ::usleep(useconds_t(random() % unsigned(span.count())));
      run.send(SIGKILL);
    }
    const Outcome outcome = run.wait();
    finished = outcome.code == 0;
    if (finished) {
      ASSERT_EQ(timeless_contents(folder / "broken"), whole);
      std::filesystem::remove_all(folder / "broken");
    } else {
      ASSERT_EQ(outcome.code, -SIGKILL) << outcome.err;
      --left;
      int frame = 0;
      while (std::filesystem::exists(folder / frame_file("broken", frame + 1))) ++frame;
      reached.push_back(frame);
      for (int f = 1; f <= frame; ++f)
        ASSERT_EQ(read_bytes(folder / frame_file("broken", f)), whole.at(frame_file("", f).substr(1))) << f;
    }
  }
  std::string frames;
  for (int frame : reached) frames += " " + std::to_string(frame);
  RecordProperty("killed_after_frames", frames);
  if (asked) std::cout << "killed after the frames" << frames << "\n";
}

TEST(ResumedRun, RefusesAnotherScene) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene());
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--frames", "1-2"}).code, 0);
  const Outcome other = verve_program(folder, {"run", "s.json", "--out", "o", "--resume", "--set", "fps=25"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("different scene"), std::string::npos) << other.err;
}

TEST(ResumedRun, NeedsNoCheckpointsOnTheWay) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", scene());
  const std::vector<std::string> words = {"run",     "s.json",   "--out", "o",
                                          "--quiet", "--resume", "--set", "output.checkpoint_every=0"};
  Program run(folder.path(), words);
  ASSERT_TRUE(run.wait_for(folder / frame_file("o", 9))) << run.wait().err;
  run.send(SIGINT);
  ASSERT_EQ(run.wait().code, 130);
  const int reached = int(Report(folder / "o/report.csv").columns.at("frame").back());
  ASSERT_LT(reached, frames) << "stopped too late to tell";

  const std::string saved = verve_program(folder, {"info", "o/checkpoint.verve"}).out;
  EXPECT_NE(saved.find(" " + std::to_string(reached) + ", "), std::string::npos) << saved;

  const Outcome rest = verve_program(folder, words);
  ASSERT_EQ(rest.code, 0) << rest.err;
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "whole", "--quiet"}).code, 0);
  EXPECT_EQ(timeless_report(folder / "whole/report.csv"), timeless_report(folder / "o/report.csv"));
}

}  // namespace
}  // namespace verve::test
