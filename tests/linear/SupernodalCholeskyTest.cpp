#include "linear/SupernodalCholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "base/Parallel.h"
#include "linear/Matrices.h"

namespace verve {
namespace {

template <class Scalar>
class CholeskyOf : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(CholeskyOf, Scalars);

TYPED_TEST(CholeskyOf, AgreesWithADenseFactor) {
  for (const auto& [name, pattern] : patterns()) {
    const BlockMatrix a = random_definite(pattern, 5);
    const Eigen::MatrixXd full = to_dense(a);
    const Vector b = random_vector(3 * pattern->rows(), 6);
    SupernodalCholesky<TypeParam> cholesky;
    cholesky.analyze(*pattern);
    ASSERT_EQ(cholesky.factorize(a), -1) << name;
    Vector x;
    cholesky.solve(b, x);
    const Vector exact = full.llt().solve(b);
    // The forward error of a Cholesky solve is at most about n eps times the condition number.
    const auto values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(full, Eigen::EigenvaluesOnly).eigenvalues();
    const double condition = values.maxCoeff() / values.minCoeff();
    const double bound = 3 * pattern->rows() * condition * double(std::numeric_limits<TypeParam>::epsilon());
    EXPECT_LT((x - exact).norm(), bound * exact.norm()) << name;
  }
}

TYPED_TEST(CholeskyOf, NamesThePointOfANegativePivot) {
  for (const auto& [name, pattern] : patterns())
    for (int bad : {0, pattern->rows() / 3, pattern->rows() - 1}) {
      // The other points alone make a definite matrix, so that the first pivot to fail is the bad point's
      // own.
      BlockMatrix a = random_definite(pattern, 7);
      for (int r = 0; r < 3; ++r) a.values[9 * std::size_t(pattern->diagonal[bad]) + 4 * r] = -1e3;
      SupernodalCholesky<TypeParam> cholesky;
      cholesky.analyze(*pattern);
      EXPECT_EQ(cholesky.factorize(a), bad) << name;
      a.values[9 * std::size_t(pattern->diagonal[bad])] = NAN;
      EXPECT_EQ(cholesky.factorize(a), bad) << name;
      EXPECT_EQ(cholesky.factorize(random_definite(pattern, 8)), -1) << name << ": after a failure";
    }
}

TYPED_TEST(CholeskyOf, ShiftScalesTheDiagonal) {
  const SharedPattern pattern = grid_pattern(5, 4, 3);
  BlockMatrix a = random_definite(pattern, 9);
  SupernodalCholesky<TypeParam> shifted, plain;
  shifted.analyze(*pattern);
  plain.analyze(*pattern);
  ASSERT_EQ(shifted.factorize(a, 0.25), -1);
  for (int i = 0; i < pattern->rows(); ++i)
    for (int r = 0; r < 3; ++r) a.values[9 * std::size_t(pattern->diagonal[i]) + 4 * r] *= 1.25;
  ASSERT_EQ(plain.factorize(a), -1);
  const Vector b = random_vector(3 * pattern->rows(), 10);
  Vector x, y;
  shifted.solve(b, x);
  plain.solve(b, y);
  EXPECT_LT((x - y).norm(), 1000 * double(std::numeric_limits<TypeParam>::epsilon()) * y.norm());
}

// Large enough for several tasks and for fronts that are eliminated tile by tile.
TYPED_TEST(CholeskyOf, HasTheSameBitsAtEveryNumberOfThreads) {
  const SharedPattern pattern = grid_pattern(14, 14, 14);
  const BlockMatrix a = random_definite(pattern, 11);
  const Vector b = random_vector(3 * pattern->rows(), 12);
  Vector x[2];
  for (int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    SupernodalCholesky<TypeParam> cholesky;
    cholesky.analyze(*pattern);
    ASSERT_EQ(cholesky.factorize(a), -1);
    cholesky.solve(b, x[threads - 1]);
  }
  EXPECT_TRUE(x[0] == x[1]);
  Vector ax;
  a.multiply(x[0], ax);
  EXPECT_LT((b - ax).norm(), 1e4 * double(std::numeric_limits<TypeParam>::epsilon()) * b.norm());
}

}  // namespace
}  // namespace verve
