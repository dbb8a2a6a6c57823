#include "io/SequenceWriter.h"

#include <gtest/gtest.h>

#include <csignal>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "TemporaryFolder.h"
#include "io/GeometryFile.h"
#include "io/SequenceFile.h"

namespace verve {
namespace {

/// A small scene: tets, cloth and a rod that move, with attributes that vary and some that do not.
Geometry frame_of(int frame) {
  Geometry g;
  g.point_count = 50;
  auto& p = g.add<float>(Owner::Point, "P", 3, "point");
  for (std::size_t i = 0; i < p.size(); ++i)
    p[i] = 0.1f * float(i % 17) + 0.01f * float(frame) * float(i % 3);
  auto& v = g.add<float>(Owner::Point, "v", 3, "vector");
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = float(frame) / float(i + 1);
  g.add<std::int8_t>(Owner::Point, "fixed")[3] = 1;
  g.add<float>(Owner::Detail, "energy")[0] = 1.0f / float(frame);
  for (int i = 0; i + 3 < 20; i += 4)
    g.add_primitive(PrimitiveType::Tetrahedron, std::array<int, 4>{i, i + 1, i + 2, i + 3});
  g.add_primitive(PrimitiveType::Polygon, std::array<int, 3>{20, 21, 22});
  g.add_primitive(PrimitiveType::Polyline, std::array<int, 3>{30, 31, 32});
  return g;
}

SequenceSettings settings_for(const TemporaryFolder& folder, const std::string& ending) {
  SequenceSettings settings;
  settings.folder = folder.path();
  settings.name = "run";
  settings.ending = ending;
  settings.fps = 23.976;
  return settings;
}

void write_frames(const SequenceSettings& settings, int from, int to, bool finish) {
  SequenceWriter writer(settings);
  for (int frame = from; frame <= to; ++frame) writer.write(frame, frame_of(frame));
  if (finish) writer.finish();
}

class Sequence : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formats, Sequence,
                         testing::Values("bgeo.sc", "bgeo", "geo", "vtu", "obj", "usda", "pc2", "mdd"),
                         [](const auto& info) {
                           return std::string(info.param) == "bgeo.sc" ? "bgeo_sc" : info.param;
                         });

TEST_P(Sequence, ResumedAfterStoppingAnywhereItIsTheSameToTheByte) {
  const TemporaryFolder unbroken;
  write_frames(settings_for(unbroken, GetParam()), 1, 8, true);
  const auto expected = unbroken.contents();
  ASSERT_FALSE(expected.empty());
  for (const bool closed : {false, true})
    for (const int stop : {1, 2, 5, 8}) {
      const TemporaryFolder folder;
      SequenceSettings settings = settings_for(folder, GetParam());
      write_frames(settings, 1, stop, closed);
      // The last checkpoint may be older than the last frame.
      settings.resume_from = std::max(1, stop - 1);
      write_frames(settings, settings.resume_from, 8, true);
      const auto found = folder.contents();
      ASSERT_EQ(found.size(), expected.size());
      for (const auto& [file, bytes] : expected)
        ASSERT_TRUE(found.count(file) && found.at(file) == bytes)
            << file << " closed " << closed << " stop " << stop;
    }
}

TEST_P(Sequence, BeginsAnewWithoutTheFramesOfAnEarlierRun) {
  const TemporaryFolder fresh, used;
  write_frames(settings_for(fresh, GetParam()), 1, 3, true);
  write_frames(settings_for(used, GetParam()), 1, 9, true);
  write_bytes(temporary_name(used / "run.0009.vtu"), "half a fra");
  write_bytes(used / "other.0001.bgeo", "not ours");
  write_frames(settings_for(used, GetParam()), 1, 3, true);
  auto found = used.contents();
  EXPECT_EQ(found.erase("other.0001.bgeo"), 1u);
  EXPECT_EQ(found, fresh.contents());
}

TEST_P(Sequence, KilledAtAnyMomentItResumesToTheSameBytes) {
  const TemporaryFolder unbroken;
  write_frames(settings_for(unbroken, GetParam()), 1, 8, true);
  for (int round = 0; round < 12; ++round) {
    const TemporaryFolder folder;
    SequenceSettings settings = settings_for(folder, GetParam());
    const pid_t child = fork();
    if (child == 0) {
      write_frames(settings, 1, 8, true);
      _exit(0);
    }
    usleep(static_cast<useconds_t>(150 * round * round));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    settings.resume_from = last_cached_frame(settings).value_or(0) + 1;
    write_frames(settings, settings.resume_from, 8, true);
    ASSERT_EQ(folder.contents(), unbroken.contents()) << "round " << round;
  }
}

TEST(SequenceWriter, WritesFramesThatReadBack) {
  const TemporaryFolder folder;
  write_frames(settings_for(folder, "bgeo.sc"), 1, 3, true);
  EXPECT_TRUE(same(read_geometry(folder / "run.0002.bgeo.sc"), frame_of(2)));
  EXPECT_EQ(folder.contents().size(), 3u);
}

TEST(SequenceWriter, SaysAtOnceThatAFolderCannotBeWritten) {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "");
  SequenceSettings settings = settings_for(folder, "bgeo.sc");
  settings.folder = folder / "file/inside";
  EXPECT_NE(error_of([&] { SequenceWriter writer(settings); }).find("cannot write the cache here"),
            std::string::npos);
  settings = settings_for(folder, "abc");
  EXPECT_NE(error_of([&] { SequenceWriter writer(settings); }).find(".bgeo.sc, .bgeo, .geo"),
            std::string::npos);
}

TEST_P(Sequence, ReportsAFullDiskAndLeavesNothingHalfWritten) {
  const TemporaryFolder folder;
  // A limit on the size of files stands in for a full disk: writing beyond it fails in the middle.
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    std::string failure;
    try {
      SequenceWriter writer(settings_for(folder, GetParam()));
      writer.write(1, frame_of(1));
      const rlimit limit{300, 300};
      setrlimit(RLIMIT_FSIZE, &limit);
      for (int frame = 2; frame < 50; ++frame) writer.write(frame, frame_of(frame));
      writer.finish();
    } catch (const Error& error) {
      failure = error.what();
    }
    _exit(failure.find("cannot write: File too large") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  for (const auto& [file, bytes] : folder.contents()) {
    if (file[0] == '.') {
      EXPECT_TRUE(is_sequence_file(GetParam())) << file << " was left behind";
    } else if (file != "run.pvd") {
      EXPECT_NO_THROW(read_geometry(folder / file));
    }
  }
}

}  // namespace
}  // namespace verve
