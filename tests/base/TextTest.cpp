#include "base/Text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace verve {
namespace {

TEST(Text, SlipsOfThePenAreFoundAndOthersAreNot) {
  const std::vector<std::string> words{"stiffness", "friction", "thickness", "pins"};
  EXPECT_EQ(nearest("stifness", words), "stiffness");
  EXPECT_EQ(nearest("thcikness", words), "thickness");  // two letters the wrong way round
  EXPECT_EQ(suggestion("pin", words), "; did you mean 'pins'?");
  EXPECT_EQ(suggestion("gravity", {"mu", "lambda"}), "; known are mu, lambda");
  EXPECT_EQ(nearest("mu", {}), "");
  EXPECT_EQ(suggestion("mu", {}), "");
  EXPECT_FALSE(is_close("gravity", "mu"));
}

TEST(Text, ShortestNumbersReadBackToTheSameBits) {
  for (double value :
       {0.1, 1.0 / 3.0, 1e-300, -6.02214076e23, 5e-324, std::numeric_limits<double>::max(), 0.0, 42.0}) {
    EXPECT_EQ(std::strtod(shortest(value).c_str(), nullptr), value);
    EXPECT_LE(shortest(value).size(), 24u);
  }
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(42.0), "42");
}

}  // namespace
}  // namespace verve
