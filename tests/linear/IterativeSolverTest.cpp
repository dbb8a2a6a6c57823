#include "linear/IterativeSolver.h"

#include <gtest/gtest.h>

#include "linear/ElasticBar.h"
#include "linear/Matrices.h"

namespace verve {
namespace {

// Iterations to reduce the residual of a smooth load and noise by 1e-6.
long iterations_on(IterativeSolver& solver, const BlockMatrix& a) {
  Vector b = random_vector(3 * a.pattern->rows(), 3);
  for (int i = 0; i < a.pattern->rows(); ++i) b[3 * i + 1] += 4;
  Vector x, ax;
  const long before = solver.iterations();
  EXPECT_TRUE(solver.factorize(a));
  EXPECT_TRUE(solver.solve(a, b, x, 1e-6));
  a.multiply(x, ax);
  EXPECT_LE((b - ax).norm(), 1e-6 * b.norm());
  return solver.iterations() - before;
}

ElasticBarOptions metre_long(int cells) {
  ElasticBarOptions options;
  options.cell = 1.0 / cells;
  return options;
}

void start(IterativeSolver& solver, const ElasticBar& bar) {
  solver.set_positions(bar.positions);
  solver.analyze(bar.pattern);
}

// Without the rigid motions on the coarse levels, iterations grow with the number of cells along the bar.
TEST(IterativeSolver, MultigridNeedsFewIterationsWhateverTheSize) {
  for (int scale : {1, 2, 3}) {
    const ElasticBar bar = make_elastic_bar(20 * scale, 4 * scale, 4 * scale, metre_long(20 * scale));
    IterativeSolver multigrid, jacobi;
    start(multigrid, bar);
    EXPECT_LE(iterations_on(multigrid, bar.matrix), 16) << bar.tets;
    if (scale > 1) continue;
    jacobi.analyze(bar.pattern);
    EXPECT_GT(iterations_on(jacobi, bar.matrix), 60);
  }
}

TEST(IterativeSolver, MultigridCopesWithNearlyIncompressibleMaterial) {
  ElasticBarOptions options = metre_long(40);
  options.poisson = 0.45;
  const ElasticBar bar = make_elastic_bar(40, 8, 8, options);
  IterativeSolver solver;
  start(solver, bar);
  EXPECT_LE(iterations_on(solver, bar.matrix), 25);
}

// The hierarchy of the straight bar must go on serving while the bar bends, and be replaced when that costs
// too much.
TEST(IterativeSolver, KeepsTheHierarchyAndRenewsItWhenTheBodyHasBent) {
  ElasticBarOptions options = metre_long(30);
  const ElasticBar straight = make_elastic_bar(30, 6, 6, options);
  IterativeSolver solver;
  start(solver, straight);
  const long first = iterations_on(solver, straight.matrix);
  for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(iterations_on(solver, straight.matrix), first);
  EXPECT_EQ(solver.factorizations(), 1);

  options.bend = 2.0;
  const ElasticBar bent = make_elastic_bar(30, 6, 6, options);
  solver.set_positions(bent.positions);
  const long old = iterations_on(solver, bent.matrix);
  EXPECT_EQ(solver.factorizations(), 1);
  EXPECT_GT(old, first);
  const long renewed = iterations_on(solver, bent.matrix);
  EXPECT_EQ(solver.factorizations(), 2);
  EXPECT_LT(renewed, old);
}

}  // namespace
}  // namespace verve
