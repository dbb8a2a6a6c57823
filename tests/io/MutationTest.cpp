// Damaged files of every format: an Error or a geometry, but never a crash, a hang or a huge allocation.
#include <gtest/gtest.h>

#include <fstream>

#include "io/GeometryFile.h"
#include "io/LargestAllocation.h"
#include "io/RandomGeometry.h"
#include "io/ScFile.h"
#include "io/SequenceFile.h"
#include "io/TemporaryFolder.h"

namespace verve {
namespace {

constexpr int kMutations = 10000;

std::string mutated(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  for (std::size_t n = 1 + below(4); n > 0 && !bytes.empty(); --n) {
    const std::size_t at = below(bytes.size());
    switch (below(7)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(random());
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.erase(at, 1 + below(8));
        break;
      case 4:
        bytes.insert(at, bytes.substr(below(bytes.size()), below(64)));
        break;
      case 5:
        bytes.replace(at, std::min<std::size_t>(4, bytes.size() - at), "\xff\xff\xff\x7f");
        break;
      default: {
        // A number in the text becomes another one.
        const std::size_t digit = bytes.find_first_of("0123456789", at);
        constexpr const char* numbers[] = {"-1", "2147483647", "4294967296", "99999999999999999999",
                                           "0",  "1e9",        "nan"};
        if (digit != std::string::npos) bytes.replace(digit, 1, numbers[below(7)]);
      }
    }
  }
  return bytes;
}

class Mutation : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formats, Mutation,
                         testing::Values("geo", "bgeo", "bgeo.sc", "inside.bgeo.sc", "vtu", "obj", "usda",
                                         "pc2", "mdd"));

TEST_P(Mutation, DamagedFilesGiveAnErrorAndNothingWorse) {
  const TemporaryFolder folder;
  const std::string ending = GetParam();
  const bool inside = ending == "inside.bgeo.sc";
  const std::string path = folder / ("a." + ending);
  std::vector<std::string> seeds;
  for (unsigned seed = 0; seed < 8; ++seed) {
    write_geometry(path, RandomGeometry(seed).make(20, false));
    seeds.push_back(read_bytes(path));
    if (inside) seeds.back() = decompress_sc(seeds.back());
  }
  std::mt19937 random(1);
  int errors = 0, good = 0;
  largest_allocation = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string bytes = mutated(seeds[random() % seeds.size()], random);
    std::ofstream(path, std::ios::binary) << (inside ? compress_sc(bytes) : bytes);
    try {
      const auto frames = open_sequence(path, nullptr);
      if (frames->count() > 0) check(frames->read(frames->count() - 1));
      ++good;
    } catch (const Error&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 0);
  EXPECT_GT(good, 0);
  EXPECT_LT(largest_allocation.load(), std::size_t(256) << 20);
}

}  // namespace
}  // namespace verve
