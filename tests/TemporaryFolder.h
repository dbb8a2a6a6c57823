// A folder that goes away with the test.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "base/Error.h"
#include "base/FileBytes.h"

namespace verve {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    // In memory where possible: the caches wait for the disk after every file.
    const std::filesystem::path memory = "/dev/shm";
    const auto base = std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    std::string name = (base / "verve_io_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }

  std::string operator/(const std::string& file) const { return (path_ / file).string(); }
  const std::string path() const { return path_.string(); }
  /// Every file with its bytes, hidden ones too.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      files[entry.path().filename().string()] = read_bytes(entry.path().string());
    return files;
  }

 private:
  std::filesystem::path path_;
};

/// The message of the Error that `action` throws; empty if it throws none.
template <class F>
std::string error_of(F&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace verve
