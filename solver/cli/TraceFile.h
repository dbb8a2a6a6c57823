// The file of `verve run --trace`: a row for every event of Newton's method.
#pragma once

#include <fstream>
#include <string>

#include "minimize/NewtonTrace.h"

namespace verve {

class TraceFile {
 public:
  /// Begins the file; throws an Error where it cannot be written.
  explicit TraceFile(const std::string& path);
  /// `frame` is the one that is being made.
  void add(int frame, const NewtonRecord& record);

 private:
  std::string path_;
  std::ofstream file_;
};

}  // namespace verve
