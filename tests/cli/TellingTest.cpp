// What a run tells while it goes on and how it ends: bars, lines, farm lines, help, completion, full disks.
#include <pty.h>
#include <sys/resource.h>

#include <filesystem>

#include "Clients.h"
#include "cli/Program.h"

namespace verve::test {
namespace {

namespace fs = std::filesystem;

const char* const bar = R"({"geometry": {"shape": "bar", "cells": [3, 1, 1]}})";

/// Runs the program on a terminal of so many columns; all that it printed there.
std::string on_terminal(const TemporaryFolder& folder, int columns, std::vector<std::string> words) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns), size.ws_row = 24;
  int terminal = -1;
  const pid_t id = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (id == 0) {
    words.insert(words.begin(), VERVE_PROGRAM);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::setenv("TERM", "xterm", 1);
    ::setenv("LC_ALL", "C", 1);
    if (::chdir(folder.path().c_str()) != 0) ::_exit(126);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = ::read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, std::size_t(got));
  ::waitpid(id, nullptr, 0);
  ::close(terminal);
  return text;
}

TEST(Progress, IsABarThatFitsTheTerminal) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", R"({"frames": [1, 12], "bodies": [)" + std::string(bar) + "]}");
  for (int columns : {20, 40, 80, 200}) {
    const std::string text = on_terminal(folder, columns, {"run", "s.json", "--out", "o"});
    std::size_t drawn = 0;
    for (std::size_t at = 0; (at = text.find('\r', at)) != std::string::npos; ++at) {
      const std::size_t end = text.find_first_of("\r\n\033", at + 1);
      if (end == std::string::npos || text[end] != '\033') continue;
      ++drawn;
      EXPECT_LT(int(end - at - 1), columns) << text.substr(at, end - at);
    }
    EXPECT_EQ(drawn, 11u) << text;
    EXPECT_EQ(text.find("frame 12/12  time"), std::string::npos) << "lines besides the bar";
    if (columns < 80) continue;
    EXPECT_NE(text.find("100% frame 12/12"), std::string::npos) << text;
    EXPECT_NE(text.find("####"), std::string::npos) << text;
  }
  const Outcome piped = verve_program(folder, {"run", "s.json", "--out", "o"});
  EXPECT_EQ(piped.out.find('\r'), std::string::npos);
  EXPECT_NE(piped.out.find("\nframe 12/12  time"), std::string::npos) << piped.out;
}

TEST(Progress, FarmLinesWhenAsked) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", R"({"frames": [1, 5], "bodies": [)" + std::string(bar) + "]}");
  const Outcome plain = verve_program(folder, {"run", "s.json", "--out", "o"});
  EXPECT_EQ(plain.out.find("ALF_PROGRESS"), std::string::npos);
  EXPECT_EQ(plain.out.find("PDG_"), std::string::npos);
  const Outcome farm = verve_program(folder, {"run", "s.json", "--out", "o", "--quiet", "--alf", "--pdg"});
  std::istringstream lines(farm.out);
  std::vector<std::string> percents, files;
  for (std::string line; std::getline(lines, line);)
    (line.rfind("ALF_PROGRESS ", 0) == 0 ? percents : files).push_back(line);
  EXPECT_EQ(percents, (std::vector<std::string>{"ALF_PROGRESS 25%", "ALF_PROGRESS 50%", "ALF_PROGRESS 75%",
                                                "ALF_PROGRESS 100%"}));
  ASSERT_EQ(files.size(), 5u) << farm.out;
  for (int f = 1; f <= 5; ++f)
    EXPECT_EQ(files[std::size_t(f - 1)],
              "PDG_RESULT: ;-1;" + (folder / ("o/s.000" + std::to_string(f) + ".bgeo.sc")) + ";file/geo;0");
  const Outcome one = verve_program(
      folder, {"run", "s.json", "--out", "u", "--quiet", "--pdg", "--set", "output.format=usda"});
  EXPECT_EQ(one.out, "PDG_RESULT: ;-1;" + (folder / "u/s.usda") + ";file/geo;0\n");
}

TEST(Run, SceneJsonHasTheFramesThatWereRun) {
  const TemporaryFolder folder;
  write_text(folder / "s.json", R"({"frames": [1, 12], "bodies": [)" + std::string(bar) + "]}");
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--frames", "1-4", "--quiet"}).code, 0);
  ASSERT_EQ(verve_program(folder, {"run", "o/scene.json", "--out", "again", "--quiet"}).code, 0);
  EXPECT_TRUE(fs::exists(folder / "again/s.0004.bgeo.sc"));
  EXPECT_FALSE(fs::exists(folder / "again/s.0005.bgeo.sc"));
  // Going on to more frames is still the same run.
  EXPECT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--resume", "--quiet"}).code, 0);
}

TEST(Run, AColliderFileThatChangedIsAnotherScene) {
  const TemporaryFolder folder;
  write_text(folder / "floor.obj", "v -9 -1 -9\nv 9 -1 -9\nv 9 -1 9\nv -9 -1 9\nf 4 3 2 1\n");
  write_text(folder / "s.json", R"({"frames": [1, 4], "bodies": [)" + std::string(bar) +
                                    R"(], "colliders": [{"file": "floor.obj"}]})");
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--frames", "1-2", "--quiet"}).code, 0);
  ASSERT_EQ(verve_program(folder, {"run", "s.json", "--out", "o", "--frames", "1-3", "--resume"}).code, 0);
  write_text(folder / "floor.obj", "v -9 -2 -9\nv 9 -2 -9\nv 9 -2 9\nv -9 -2 9\nf 4 3 2 1\n");
  const Outcome other = verve_program(folder, {"run", "s.json", "--out", "o", "--resume"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("different scene"), std::string::npos) << other.err;
}

TEST(Run, SceneJsonFindsTheSkinFromWhereItIs) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "in");
  write_text(folder / "in/skin.obj", "v -0.4 0 0\nv 0.4 0 0\nv 0 0.1 0\nf 1 2 3\n");
  write_text(folder / "in/s.json",
             R"({"frames": [1, 2], "bodies": [{"geometry": {"shape": "bar", "cells": [3, 1, 1],
      "skin": "skin.obj"}}], "output": {"surface": "skin"}})");
  ASSERT_EQ(verve_program(folder, {"run", "in/s.json", "--out", "o", "--quiet"}).code, 0);
  const Outcome again = verve_program(folder, {"run", "o/scene.json", "--out", "again", "--quiet"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(read_bytes(folder / "o/s.0002.bgeo.sc") == read_bytes(folder / "again/s.0002.bgeo.sc"));
  // Half a cache of the skin and half of the tets would be no cache.
  EXPECT_EQ(
      verve_program(folder, {"run", "in/s.json", "--out", "o", "--resume", "--set", "output.surface=cage"})
          .code,
      2);
}

TEST(Run, AFullDiskAfterCtrlCIsAFailureThatSaysSo) {
  const TemporaryFolder folder;
  write_text(folder / "s.json",
             R"({"frames": [1, 4000], "substeps": 4, "bodies": [{"geometry": {"shape": "bar",
      "cells": [12, 2, 2]}, "stretch": 1.2}], "output": {"every": 5000, "checkpoint_every": 5000}})");
  Program run(folder.path(), {"run", "s.json", "--out", "o", "--quiet"});
  ASSERT_TRUE(run.wait_for(folder / "o/checkpoint.verve")) << run.wait().err;
  const rlimit small{4096, 4096};  // from here on no file may grow beyond this
  ASSERT_EQ(run.limit(RLIMIT_FSIZE, small), 0);
  run.send(SIGINT);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("interrupted, and saving failed"), std::string::npos) << outcome.err;
}

TEST(Run, AMeshFallsWithoutAScene) {
  const TemporaryFolder folder;
  // A tetrahedron in centimetres, closed; and one triangle, open.
  write_text(folder / "solid.obj",
             "v 0 0 0\nv 100 0 0\nv 0 100 0\nv 0 0 100\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  write_text(folder / "sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n");
  const Outcome solid = verve_program(folder, {"run", "solid.obj", "--frames", "1-3", "--quiet"});
  ASSERT_EQ(solid.code, 0) << solid.err;
  EXPECT_NE(solid.err.find("scaled by 0.01"), std::string::npos) << solid.err;
  EXPECT_NE(solid.err.find("filled with tets"), std::string::npos) << solid.err;
  EXPECT_TRUE(fs::exists(folder / "out/solid/solid.0003.bgeo.sc"));
  const Outcome sheet = verve_program(folder, {"run", "sheet.obj", "--frames", "1-3", "--quiet"});
  ASSERT_EQ(sheet.code, 0) << sheet.err;
  EXPECT_NE(sheet.err.find("taken as cloth"), std::string::npos) << sheet.err;
  // The artist's changes to the scene that was made stay, and so do the frames of the first one.
  write_text(folder / "out/sheet/sheet.json",
             R"({"frames": [1, 2], "bodies": [{"geometry": {"file": "../../sheet.obj"}}]})");
  const Outcome again = verve_program(folder, {"run", "sheet.obj", "--quiet"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.err.find("these go to out/sheet-2"), std::string::npos) << again.err;
  EXPECT_TRUE(fs::exists(folder / "out/sheet/sheet.0003.bgeo.sc"));
  EXPECT_TRUE(fs::exists(folder / "out/sheet-2/sheet.0002.bgeo.sc"));
  EXPECT_FALSE(fs::exists(folder / "out/sheet-2/sheet.0003.bgeo.sc"));
}

TEST(Help, TopicsKeysAndTheNearestOnes) {
  const TemporaryFolder folder;
  const Outcome list = verve_program(folder, {"help"});
  EXPECT_EQ(list.code, 0);
  for (const char* topic : {"start", "scene", "fabrics", "integrators", "files", "wedges", "farm", "page",
                            "exit", "run", "wedge"}) {
    EXPECT_NE(list.out.find(topic), std::string::npos);
    const Outcome help = verve_program(folder, {"help", topic});
    EXPECT_EQ(help.code, 0) << topic;
    EXPECT_GT(help.out.size(), 100u) << topic;
  }
  EXPECT_EQ(verve_program(folder, {"help", "run"}).out, verve_program(folder, {"run", "--help"}).out);
  EXPECT_NE(verve_program(folder, {"help", "bodies[0].mass"}).out.find("(kg)"), std::string::npos);
  const Outcome near = verve_program(folder, {"help", "wedgs"});
  EXPECT_EQ(near.code, 2);
  EXPECT_NE(near.err.find("'wedges'"), std::string::npos) << near.err;
  EXPECT_NE(verve_program(folder, {"help", "delt"}).err.find("'damping.delta'"), std::string::npos);
}

TEST(Completion, BashOffersCommandsOptionsAndKeys) {
  const TemporaryFolder folder;
  for (const char* shell : {"bash", "zsh", "fish"})
    EXPECT_EQ(verve_program(folder, {"completion", shell}).code, 0) << shell;
  EXPECT_EQ(verve_program(folder, {"completion", "tcsh"}).code, 2);
  if (!runs("bash -c 'type compgen'")) GTEST_SKIP() << "bash is not installed";
  const std::string script = verve_program(folder, {"completion", "bash"}).out;
  write_text(folder / "c.sh", script + R"END(
compopt() { :; }
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _verve; echo "${COMPREPLY[*]}"; }
[ "$(try verve we)" = wedge ] || exit 1
[ "$(try verve run --res)" = --resume ] || exit 2
[ "$(try verve run s.json --set damping.del)" = damping.delta= ] || exit 3
[ "$(try verve help integ)" = integrators ] || exit 4
[ "$(try verve wedge --task)" = "" ] || exit 5
cd "$(dirname "$0")" && touch "a b.json" && [ "$(try verve run a)" = "a b.json" ] || exit 6
)END");
  EXPECT_EQ(std::system(("bash " + (folder / "c.sh")).c_str()), 0);
}

}  // namespace
}  // namespace verve::test
