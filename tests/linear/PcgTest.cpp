#include "linear/Pcg.h"

#include <gtest/gtest.h>

#include "linear/Aggregation.h"
#include "linear/BlockJacobi.h"
#include "linear/ElasticBar.h"
#include "linear/Matrices.h"
#include "linear/RenewalPolicy.h"

namespace verve {
namespace {

class PcgTest : public testing::Test {
 protected:
  PcgTest() : bar(make_elastic_bar(8, 3, 3)), b(random_vector(3 * bar.pattern->rows(), 1)) {
    jacobi.analyze(*bar.pattern);
    pcg.resize(bar.pattern->rows());
  }
  double true_residual(const Vector& x) {
    Vector ax;
    bar.matrix.multiply(x, ax);
    return (b - ax).norm() / b.norm();
  }

  ElasticBar bar;
  Vector b;
  BlockJacobi jacobi;
  Pcg pcg;
};

TEST_F(PcgTest, GoesOnFromWhereItStopped) {
  ASSERT_EQ(jacobi.factorize(bar.matrix), -1);
  Vector x;
  ASSERT_EQ(pcg.run(bar.matrix, b, x, 1e-10, 5, jacobi, true), Pcg::Result::out_of_iterations);
  EXPECT_EQ(pcg.iterations(), 5);
  EXPECT_GT(true_residual(x), 1e-10);
  ASSERT_EQ(pcg.run(bar.matrix, b, x, 1e-10, 5000, jacobi, false), Pcg::Result::converged);
  EXPECT_LE(true_residual(x), 1e-10);
  ASSERT_EQ(pcg.run(bar.matrix, b, x, 1e-10, 5000, jacobi, false), Pcg::Result::converged);
  EXPECT_EQ(pcg.iterations(), 0);
}

TEST_F(PcgTest, SaysWhenTheToleranceIsBelowRoundOff) {
  ASSERT_EQ(jacobi.factorize(bar.matrix), -1);
  Vector x;
  EXPECT_EQ(pcg.run(bar.matrix, b, x, 1e-18, 100000, jacobi, true), Pcg::Result::stagnated);
  EXPECT_LE(true_residual(x), 1e-12);
}

TEST_F(PcgTest, SeesNegativeCurvature) {
  ASSERT_EQ(jacobi.factorize(bar.matrix), -1);
  const int middle = bar.pattern->rows() / 2;
  for (int r = 0; r < 3; ++r) bar.matrix.values[9 * std::size_t(bar.pattern->diagonal[middle]) + 4 * r] *= -1;
  Vector x;
  EXPECT_EQ(pcg.run(bar.matrix, b, x, 1e-10, 5000, jacobi, true), Pcg::Result::negative_curvature);
}

TEST(RenewalPolicy, RenewsWhenTheLossEqualsThePrice) {
  RenewalPolicy policy;
  policy.renewed(6);
  policy.solved(4, 1e-4);  // fresh: one iteration a decade
  EXPECT_FALSE(policy.due());
  policy.solved(6, 1e-4);  // 2 lost
  policy.solved(5, 1e-2);  // 3 lost
  EXPECT_FALSE(policy.due());
  EXPECT_EQ(policy.patience(1e-3), 1 + 3 + 1);  // one still to lose, three as if fresh, and one
  policy.solved(4, 1e-3);                       // 1 lost
  EXPECT_TRUE(policy.due());
  policy.renewed(6);
  EXPECT_FALSE(policy.due());
}

// Where old preconditioners fail in a row, fresh ones take their places: two, four and then eight times.
TEST(RenewalPolicy, LearnsNotToTryWhatFails) {
  RenewalPolicy policy;
  policy.renewed(6);
  const auto renewals_until_tried = [&] {
    int count = 0;
    for (; policy.due(); ++count) policy.renewed(6);
    return count;
  };
  for (int expected : {2, 4, 8, 8}) {
    policy.tried(false);
    EXPECT_EQ(renewals_until_tried(), expected);
  }
  policy.tried(true);
  EXPECT_EQ(renewals_until_tried(), 0);
  policy.tried(false);
  policy.forget();
  EXPECT_FALSE(policy.due());
  policy.tried(false);
  EXPECT_EQ(renewals_until_tried(), 2);
}

TEST(Aggregation, GathersEveryConnectedNodeOnce) {
  // A chain of ten nodes and a lonely one.
  std::vector<int> start{0}, neighbour;
  for (int i = 0; i < 10; ++i) {
    if (i > 0) neighbour.push_back(i - 1);
    if (i < 9) neighbour.push_back(i + 1);
    start.push_back(int(neighbour.size()));
  }
  start.push_back(int(neighbour.size()));
  const Aggregates aggregates = aggregate(start, neighbour);
  // Node 0 takes 1, then 3 takes 2 and 4, 6 takes 5 and 7, 9 takes 8.
  EXPECT_EQ(aggregates.of, (std::vector<int>{0, 0, 1, 1, 1, 2, 2, 2, 3, 3, -1}));
  EXPECT_EQ(aggregates.count, 4);
}

}  // namespace
}  // namespace verve
