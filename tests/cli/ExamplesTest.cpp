// Every example scene runs.
#include <filesystem>

#include "cli/Program.h"

namespace verve::test {
namespace {

TEST(Examples, AllBegin) {
  int scenes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VERVE_EXAMPLES)) {
    if (entry.path().extension() != ".json") continue;
    ++scenes;
    const TemporaryFolder folder;
    const Outcome run =
        verve_program(folder, {"run", entry.path().string(), "--out", "o", "--frames", "1-2", "--quiet"});
    EXPECT_EQ(run.code, 0) << entry.path() << run.err;
  }
  EXPECT_GE(scenes, 12);
}

}  // namespace
}  // namespace verve::test
