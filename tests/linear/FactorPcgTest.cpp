#include "linear/FactorPcg.h"

#include <gtest/gtest.h>

#include "linear/ElasticBar.h"
#include "linear/Matrices.h"

namespace verve {
namespace {

// The bar's stiffness changes by `rate` from one matrix to the next, more at one end than at the other.
long factors_for(double rate, int matrices) {
  const ElasticBar bar = make_elastic_bar(16, 4, 4);
  const Vector b = random_vector(3 * bar.pattern->rows(), 1);
  FactorPcg solver;
  solver.analyze(bar.pattern);
  BlockMatrix a = bar.matrix;
  for (int m = 0; m < matrices; ++m) {
    for (int i = 0; i < bar.pattern->rows(); ++i)
      for (int r = 0; r < 3; ++r)
        a.values[9 * std::size_t(bar.pattern->diagonal[i]) + 4 * r] *= 1 + rate * i / bar.pattern->rows();
    Vector x, ax;
    EXPECT_TRUE(solver.factorize(a));
    EXPECT_TRUE(solver.solve(a, b, x, 1e-7));
    a.multiply(x, ax);
    EXPECT_LE((b - ax).norm(), 1e-7 * b.norm());
  }
  return solver.factorizations();
}

TEST(FactorPcg, KeepsItsFactorWhileMatricesAreAlike) {
  EXPECT_EQ(factors_for(0, 30), 1);
  const long slow = factors_for(1e-5, 30), fast = factors_for(0.1, 30);
  EXPECT_LT(slow, 15);
  EXPECT_GT(fast, slow);
  EXPECT_LE(fast, 30);
}

// A factor in float fails on a definite matrix whose condition is beyond float; the shifted one must do.
TEST(FactorPcg, SolvesWhatOnlyDoubleCanTellFromSingular) {
  // Only the mass holds the rigid motions: rho cell^2 / (h^2 E) is 3e-8 of the stiffness.
  ElasticBarOptions light;
  light.density = 0.1;
  light.cell = 0.013;
  light.poisson = 0.49;
  light.clamped = false;
  int beyond_float = 0;
  for (int length = 3; length < 15; ++length) {
    const ElasticBar bar = make_elastic_bar(length, 3, 3, light);
    SupernodalCholesky<float> plain;
    plain.analyze(*bar.pattern);
    if (plain.factorize(bar.matrix) >= 0) ++beyond_float;

    FactorPcg solver;
    solver.analyze(bar.pattern);
    const Vector b = random_vector(3 * bar.pattern->rows(), 2);
    Vector x, ax;
    ASSERT_TRUE(solver.factorize(bar.matrix)) << length;
    ASSERT_TRUE(solver.solve(bar.matrix, b, x, 1e-6)) << length;
    bar.matrix.multiply(x, ax);
    EXPECT_LE((b - ax).norm(), 1e-6 * b.norm()) << length;
  }
  EXPECT_GT(beyond_float, 0) << "these matrices are too easy for this test";
}

}  // namespace
}  // namespace verve
