#include "linear/LinearSolver.h"

#include <gtest/gtest.h>

#include "linear/Matrices.h"

namespace verve {
namespace {

class EveryKind : public testing::TestWithParam<LinearKind> {};

TEST_P(EveryKind, SolvesToTheToleranceInTheTrueResidual) {
  for (const auto& [name, pattern] : patterns()) {
    const BlockMatrix a = random_definite(pattern, 1);
    const Vector b = random_vector(3 * pattern->rows(), 2);
    auto solver = make_linear_solver(GetParam());
    solver->analyze(pattern);
    ASSERT_TRUE(solver->factorize(a)) << name;
    Vector x, ax;
    ASSERT_TRUE(solver->solve(a, b, x, 1e-9)) << name;
    a.multiply(x, ax);
    EXPECT_LE((b - ax).norm(), 1e-9 * b.norm()) << name;
  }
}

TEST_P(EveryKind, RefusesAnIndefiniteMatrix) {
  for (const auto& [name, pattern] : patterns()) {
    BlockMatrix a = random_definite(pattern, 3);
    const int bad = pattern->rows() / 2;
    a.values[9 * std::size_t(pattern->diagonal[bad])] -= 1e3;
    auto solver = make_linear_solver(GetParam());
    solver->analyze(pattern);
    const Vector b = random_vector(3 * pattern->rows(), 4);
    Vector x;
    EXPECT_FALSE(solver->factorize(a) && solver->solve(a, b, x, 1e-9)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind,
                         testing::Values(LinearKind::automatic, LinearKind::direct, LinearKind::iterative));

}  // namespace
}  // namespace verve
