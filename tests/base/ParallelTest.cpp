#include "base/Parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "base/Pack.h"

namespace verve {
namespace {

TEST(Parallel, PiecesCoverEverythingOnceAndBeginAtMultiplesOfTheirGrain) {
  for (int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    std::vector<std::atomic<int>> visits(1003);
    std::atomic<bool> aligned{true};
    parallel_pieces(1003, 64, [&](int begin, int end) {
      if (begin % 64 != 0 || end - begin > 64) aligned = false;
      for (int i = begin; i < end; ++i) ++visits[std::size_t(i)];
    });
    EXPECT_TRUE(aligned);
    for (const auto& v : visits) EXPECT_EQ(v, 1);
  }
}

// Terms of very different size, whose sum depends on the order in which they are added.
TEST(Parallel, SumsAreTheSameBitsAtEveryNumberOfThreads) {
  const auto sum = [](int threads) {
    const ThreadLimit limit(threads);
    return parallel_sum(100000, 100, [](int begin, int end) {
      double s = 0.0;
      for (int i = begin; i < end; ++i) s += std::sin(double(i)) * std::pow(10.0, i % 17);
      return s;
    });
  };
  const double one = sum(1);
  for (int threads : {2, 3, 4}) EXPECT_EQ(sum(threads), one);
  EXPECT_EQ(parallel_sum(0, 10, [](int, int) { return 1.0; }), 0.0);
  EXPECT_EQ(parallel_max(0, 10, [](int, int) { return 1.0; }), 0.0);
  EXPECT_EQ(parallel_max(35, 10, [](int begin, int) { return double(begin); }), 30.0);
}

TEST(Parallel, LimitsEndWithTheirScope) {
  const int before = thread_count();
  {
    const ThreadLimit limit(1);
    EXPECT_EQ(thread_count(), 1);
  }
  EXPECT_EQ(thread_count(), before);
}

TEST(Pack, LanesAreComputedWithAsSingleNumbersAre) {
  Pack a, b;
  const double x[4] = {1.5, -2.0, 0.25, 1e10}, y[4] = {3.0, 4.0, -0.5, 1e-10};
  for (int k = 0; k < 4; ++k) a.set(k, x[k]), b.set(k, y[k]);
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ((a + b)[k], x[k] + y[k]);
    EXPECT_EQ((a - b)[k], x[k] - y[k]);
    EXPECT_EQ((a * b)[k], x[k] * y[k]);
    EXPECT_EQ((a / b)[k], x[k] / y[k]);
    EXPECT_EQ(max(a, b)[k], std::max(x[k], y[k]));
    EXPECT_EQ(min(a, b)[k], std::min(x[k], y[k]));
    EXPECT_EQ(abs(a)[k], std::abs(x[k]));
    EXPECT_EQ(copy_sign(a, b)[k], std::copysign(x[k], y[k]));
    EXPECT_EQ(where_above(a, b, Pack(1.0), Pack(2.0))[k], x[k] > y[k] ? 1.0 : 2.0);
  }
  EXPECT_TRUE(any_above(a, b));
  EXPECT_FALSE(any_above(min(a, b), b));
}

}  // namespace
}  // namespace verve
