#include "io/HoudiniFile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/RandomGeometry.h"
#include "io/ScFile.h"

namespace verve {
namespace {

constexpr HoudiniEncoding kEncodings[] = {HoudiniEncoding::Text, HoudiniEncoding::Binary,
                                          HoudiniEncoding::Compressed};

class HoudiniFile : public testing::TestWithParam<HoudiniEncoding> {};
INSTANTIATE_TEST_SUITE_P(Encodings, HoudiniFile, testing::ValuesIn(kEncodings));

TEST_P(HoudiniFile, RandomGeometriesComeBackBitForBit) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Geometry g = RandomGeometry(seed).make(seed % 20 == 0 ? 4000 : 30, false);
    std::vector<std::string> warnings;
    const std::string bytes = write_houdini(g, GetParam());
    const Geometry back = read_houdini(bytes, &warnings);
    ASSERT_TRUE(same(g, back)) << "seed " << seed;
    ASSERT_TRUE(warnings.empty()) << warnings.front();
    ASSERT_EQ(write_houdini(back, GetParam()), bytes);
  }
}

}  // namespace
}  // namespace verve
