// Every kind of file that the program reads, for damaging it.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace verve {

struct FuzzedFormat {
  std::string name;
  std::string file;  ///< what the damaged file is called
  /// Whole files to begin with; may leave others beside them that `read` needs as well.
  std::function<std::vector<std::string>(const std::string& folder)> seeds;
  bool some_refused = false;  ///< not all seeds are files that can be read back
  /// Reads the file as the program does; throws an Error when it cannot.
  std::function<void(const std::string& path)> read;
  /// Damages a file; empty: any of its bytes.
  std::function<std::string(const std::string& bytes, std::mt19937& random)> damage;
  /// What is done to the damaged bytes before they are a file: sums and compression that would hide the
  /// damage from the reader behind them. May be empty.
  std::function<std::string(const std::string& bytes)> seal;
};

std::vector<FuzzedFormat> fuzzed_formats();

}  // namespace verve
