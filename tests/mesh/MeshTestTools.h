// Small helpers that the mesh tests share.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "base/Error.h"

namespace verve {

/// A file name of its own for the running test; the file goes when the object does.
class TestFile {
 public:
  explicit TestFile(const std::string& ending, const std::string& content = "") {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    static int number = 0;
    path = testing::TempDir() + "verve_" + test->test_suite_name() + "_" + test->name() + "_" +
           std::to_string(number++) + ending;
    if (!content.empty()) write(content);
  }
  ~TestFile() { std::remove(path.c_str()); }
  TestFile(const TestFile&) = delete;

  // Removed first, as some file systems go to the disk when a file is written over.
  void write(const std::string& content) const {
    std::remove(path.c_str());
    std::ofstream(path, std::ios::binary) << content;
  }
  std::string read() const {
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  std::string path;
};

/// The sentence of the Error that `run` throws; empty when it throws none.
template <class Run>
std::string error_of(const Run& run) {
  try {
    run();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The bytes of a value, to write binary files by hand.
template <class T>
std::string bytes_of(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace verve
