#include "linear/LinearSolver.h"

#include <gtest/gtest.h>

#include "base/Parallel.h"
#include "linear/Allocations.h"
#include "linear/AutomaticSolver.h"
#include "linear/ElasticBar.h"
#include "linear/Matrices.h"

namespace verve {
namespace {

struct Way {
  LinearKind kind;
  bool positions;  // given to the solver
};

class EveryWay : public testing::TestWithParam<Way> {
 protected:
  std::unique_ptr<LinearSolver> make(const SharedPattern& pattern, const Vector& positions) {
    auto solver = make_linear_solver(GetParam().kind);
    if (GetParam().positions) solver->set_positions(positions);
    solver->analyze(pattern);
    return solver;
  }
  std::unique_ptr<LinearSolver> make(const SharedPattern& pattern) {
    return make(pattern, random_vector(3 * pattern->rows(), 99));
  }
};

double relative_residual(const BlockMatrix& a, const Vector& x, const Vector& b) {
  Vector ax;
  a.multiply(x, ax);
  return (b - ax).norm() / b.norm();
}

TEST_P(EveryWay, SolvesToTheToleranceInTheTrueResidual) {
  for (const auto& [name, pattern] : patterns()) {
    const BlockMatrix a = random_definite(pattern, 1);
    const Vector b = random_vector(3 * pattern->rows(), 2);
    const auto solver = make(pattern);
    ASSERT_TRUE(solver->factorize(a)) << name;
    for (double tolerance : {1e-2, 1e-9, 1e-13}) {
      Vector x;
      ASSERT_TRUE(solver->solve(a, b, x, tolerance)) << name;
      EXPECT_LE(relative_residual(a, x, b), tolerance) << name;
    }
  }
}

TEST_P(EveryWay, SolvesForZero) {
  const SharedPattern pattern = grid_pattern(3, 3, 3);
  const BlockMatrix a = random_definite(pattern, 1);
  const auto solver = make(pattern);
  ASSERT_TRUE(solver->factorize(a));
  const Vector zero = Vector::Zero(3 * pattern->rows());
  Vector x = Vector::Ones(3 * pattern->rows());
  ASSERT_TRUE(solver->solve(a, zero, x, 1e-9));
  EXPECT_EQ(x, zero);
}

TEST_P(EveryWay, SolvesForNoPointsAtAll) {
  const auto pattern = std::make_shared<BlockPattern>(make_block_pattern(0, {}));
  const BlockMatrix a(pattern);
  const auto solver = make(pattern);
  Vector x;
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_TRUE(solver->factorize(a));
    EXPECT_TRUE(solver->solve(a, Vector(0), x, 1e-9));
  }
}

TEST_P(EveryWay, RefusesAnIndefiniteMatrix) {
  for (const auto& [name, pattern] : patterns()) {
    BlockMatrix a = random_definite(pattern, 3);
    const int bad = pattern->rows() / 2;
    a.values[9 * std::size_t(pattern->diagonal[bad])] -= 1e3;
    const auto solver = make(pattern);
    const Vector b = random_vector(3 * pattern->rows(), 4);
    Vector x;
    EXPECT_FALSE(solver->factorize(a) && solver->solve(a, b, x, 1e-9)) << name;
    EXPECT_EQ(solver->failed_point(), bad) << name;
  }
}

// Once a definite matrix was seen, whatever was kept from it must not hide that a later one is indefinite.
TEST_P(EveryWay, RefusesAnIndefiniteMatrixThatFollowsADefiniteOne) {
  for (const auto& [name, pattern] : patterns()) {
    BlockMatrix a = random_definite(pattern, 3);
    const Vector b = random_vector(3 * pattern->rows(), 4);
    const auto solver = make(pattern);
    Vector x;
    ASSERT_TRUE(solver->factorize(a) && solver->solve(a, b, x, 1e-9)) << name;
    const BlockMatrix good = a;
    a.values[9 * std::size_t(pattern->diagonal[pattern->rows() / 2])] -= 1e3;
    EXPECT_FALSE(solver->factorize(a) && solver->solve(a, b, x, 1e-9)) << name;
    ASSERT_TRUE(solver->factorize(good) && solver->solve(good, b, x, 1e-9)) << name << ": and back";
    EXPECT_LE(relative_residual(good, x, b), 1e-9) << name;
  }
}

// Contacts add stiff diagonal blocks; pins cut points off. What was kept from earlier matrices must cope.
TEST_P(EveryWay, FollowsContactsAndPins) {
  const ElasticBar bar = make_elastic_bar(8, 4, 4);
  const auto solver = make(bar.pattern, bar.positions);
  const Vector b = random_vector(3 * bar.pattern->rows(), 5);
  const BlockPattern& p = *bar.pattern;
  Vector x;
  for (int change = 0; change < 6; ++change) {
    BlockMatrix a = bar.matrix;
    for (int i = change; i < p.rows(); i += 7)
      a.values[9 * std::size_t(p.diagonal[i]) + 4] *= 1 + 1000 * change;
    for (int i = p.rows() - 1 - change; i > p.rows() / 2; i -= 11)
      for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
        if (const int j = p.column[k]; j != i)
          for (int at : {k, p.find(j, i)}) std::fill_n(&a.values[9 * std::size_t(at)], 9, 0.0);
    ASSERT_TRUE(solver->factorize(a));
    ASSERT_TRUE(solver->solve(a, b, x, 1e-8));
    EXPECT_LE(relative_residual(a, x, b), 1e-8);
  }
}

// 3240 points: parallel loops have several pieces, trees several tasks.
TEST_P(EveryWay, HasTheSameBitsAtEveryNumberOfThreads) {
  const ElasticBar bar = make_elastic_bar(26, 11, 9);
  const Vector b = random_vector(3 * bar.pattern->rows(), 6);
  Vector x[2];
  long iterations[2];
  for (int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    const auto solver = make(bar.pattern, bar.positions);
    BlockMatrix a = bar.matrix;
    for (int change = 0; change < 3; ++change) {
      for (int i = 0; i < bar.pattern->rows(); i += 3)
        a.values[9 * std::size_t(bar.pattern->diagonal[i])] *= 1.3;
      ASSERT_TRUE(solver->factorize(a));
      ASSERT_TRUE(solver->solve(a, b, x[threads - 1], 1e-6));
    }
    iterations[threads - 1] = solver->iterations();
  }
  EXPECT_TRUE(x[0] == x[1]);
  EXPECT_EQ(iterations[0], iterations[1]);
}

TEST_P(EveryWay, DoesNotAllocateAfterTheFirstMatrix) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer's stand-in for TBB allocates a thread for each task";
#endif
  const ElasticBar bar = make_elastic_bar(30, 8, 7);
  const Vector b = random_vector(3 * bar.pattern->rows(), 7);
  const auto solver = make(bar.pattern, bar.positions);
  Vector x = b;
  // The first one may: multigrid makes its hierarchy then, and the thread pool starts.
  ASSERT_TRUE(solver->factorize(bar.matrix) && solver->solve(bar.matrix, b, x, 1e-6));
  const long before = allocations();
  bool good = true;
  for (int repeat = 0; repeat < 3; ++repeat)
    good = good && solver->factorize(bar.matrix) && solver->solve(bar.matrix, b, x, 1e-6);
  EXPECT_EQ(allocations() - before, 0);
  EXPECT_TRUE(good);
}

TEST_P(EveryWay, ServesASecondPattern) {
  auto solver = make_linear_solver(GetParam().kind);
  for (const auto& [name, pattern] : patterns()) {
    if (GetParam().positions) solver->set_positions(random_vector(3 * pattern->rows(), 99));
    solver->analyze(pattern);
    const BlockMatrix a = random_definite(pattern, 8);
    const Vector b = random_vector(3 * pattern->rows(), 9);
    Vector x;
    ASSERT_TRUE(solver->factorize(a) && solver->solve(a, b, x, 1e-9)) << name;
    EXPECT_LE(relative_residual(a, x, b), 1e-9) << name;
  }
}

std::string way_name(const testing::TestParamInfo<Way>& info) {
  const char* names[] = {"automatic", "direct", "iterative"};
  return names[int(info.param.kind)] + std::string(info.param.positions ? "_with_positions" : "");
}

INSTANTIATE_TEST_SUITE_P(Ways, EveryWay,
                         testing::Values(Way{LinearKind::automatic, true}, Way{LinearKind::automatic, false},
                                         Way{LinearKind::direct, false}, Way{LinearKind::iterative, true},
                                         Way{LinearKind::iterative, false}),
                         way_name);

bool chooses_multigrid(const SharedPattern& pattern, bool positions) {
  AutomaticSolver solver;
  if (positions) solver.set_positions(Vector::Zero(3 * pattern->rows()));
  solver.analyze(pattern);
  return solver.uses_multigrid();
}

TEST(AutomaticSolver, ChoosesMultigridForLargeVolumesOnly) {
  EXPECT_FALSE(chooses_multigrid(grid_pattern(10, 10, 10), true));
  EXPECT_TRUE(chooses_multigrid(grid_pattern(26, 26, 26), true));
  EXPECT_FALSE(chooses_multigrid(grid_pattern(26, 26, 26), false)) << "needs positions";
  EXPECT_FALSE(chooses_multigrid(grid_pattern(130, 130, 1), true)) << "cloth has small factors";
}

}  // namespace
}  // namespace verve
