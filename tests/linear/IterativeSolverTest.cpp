#include "linear/IterativeSolver.h"

#include <gtest/gtest.h>

#include "linear/ElasticBar.h"
#include "linear/Matrices.h"

namespace verve {
namespace {

int iterations_on(IterativeSolver& solver, const BlockMatrix& a, double tolerance) {
  const Vector b = random_vector(3 * a.pattern->rows(), 3);
  Vector x, ax;
  const long before = solver.iterations();
  EXPECT_TRUE(solver.factorize(a));
  EXPECT_TRUE(solver.solve(a, b, x, tolerance));
  a.multiply(x, ax);
  EXPECT_LE((b - ax).norm(), tolerance * b.norm());
  return int(solver.iterations() - before);
}

TEST(IterativeSolver, NeedsFewIterationsWhateverTheSize) {
  for (int scale : {1, 2, 3}) {
    const ElasticBar bar = make_elastic_bar(20 * scale, 5 * scale, 5 * scale);
    IterativeSolver solver;
    solver.set_positions(bar.positions);
    solver.analyze(bar.pattern);
    const int its = iterations_on(solver, bar.matrix, 1e-6);
    EXPECT_LE(its, 20);
  }
}

}  // namespace
}  // namespace verve
