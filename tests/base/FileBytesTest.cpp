#include "base/FileBytes.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "TemporaryFolder.h"
#include "base/Error.h"

namespace verve {
namespace {

namespace fs = std::filesystem;

TEST(FileBytes, AreSeenUnderTheirNameOnlyWhenAllIsWritten) {
  const TemporaryFolder folder;
  const std::string path = folder / "frame.bgeo";
  write_bytes(path, "old");
  {
    NewFile file(path);
    file.append("half of ");
    EXPECT_EQ(read_bytes(path), "old");
    EXPECT_TRUE(fs::exists(temporary_name(path)));
  }  // given up
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_FALSE(fs::exists(temporary_name(path)));
  NewFile file(path);
  file.append("half of ");
  file.append("it");
  file.commit();
  EXPECT_EQ(read_bytes(path), "half of it");
  EXPECT_FALSE(fs::exists(temporary_name(path)));
}

TEST(FileBytes, ErrorsNameTheFile) {
  const TemporaryFolder folder;
  for (const std::string& path : {folder / "missing/frame.bgeo", folder / "missing.bgeo"}) {
    try {
      path.find("missing/") == std::string::npos ? (void)read_bytes(path) : write_bytes(path, "x");
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find(path), 0u) << error.what();
    }
  }
}

}  // namespace
}  // namespace verve
