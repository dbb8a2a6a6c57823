#include "minimize/Newton.h"

#include <gtest/gtest.h>

#include <cmath>

#include "energy/SpringEnergy.h"

namespace verve {
namespace {

/// The AVF paper's example of figure 3: a particle of unit mass on a line with E(x) = 10 x + 1500 (x^2 -
/// 1)^2, stepped by AVF from x0 = 0.6, v0 = -9 with h = 0.04. The line is the x axis; the spring's other end
/// is the origin.
class Figure3 : public Objective {
 public:
  static constexpr double h = 0.04, x0 = 0.6, v0 = -9.0;

  Figure3() : spring_(make_spring_energy({{0, 1}}, {SpringModel::stvk, {3000}, {1}, {1}}, {{0, 0}, 1})) {
    std::vector<std::array<int, 2>> pairs;
    spring_->append_pairs(pairs);
    pattern = std::make_shared<const BlockPattern>(make_block_pattern(2, pairs));
    spring_->attach(*pattern);
    chord_.x0 = Vector::Zero(6);
    chord_.x0[3] = x0;
    chord_.samples = {{0.5, 2 * h * h / 3}, {1.0, h * h / 12}};
    y_ = x0 + h * v0 - h * h / 12 * slope(x0);
  }
  static double slope(double x) { return 10 + 6000 * x * (x * x - 1); }
  /// The paper's F(x), equation 11.
  double f(double x) const { return x - y_ + h * h / 3 * slope(0.5 * (x0 + x)) + h * h / 12 * slope(x); }
  double df(double x) const {
    const auto curvature = [](double q) { return 6000 * (3 * q * q - 1); };
    return 1 + h * h / 6 * curvature(0.5 * (x0 + x)) + h * h / 12 * curvature(x);
  }

  Value evaluate(const Vector& x, Vector& gradient) override {
    gradient.setZero();
    double value = spring_->evaluate(chord_, x, &gradient);
    value += 0.5 * (x[3] - y_) * (x[3] - y_) + chord_.force_weight() * 10 * x[3];
    gradient[3] += x[3] - y_ + chord_.force_weight() * 10;
    mask(gradient);
    return {value, std::abs(value)};
  }
  void hessian(const Vector& x, double filter, BlockMatrix& hessian) override {
    std::fill(hessian.values.begin(), hessian.values.end(), 0.0);
    spring_->add_hessian(chord_, x, filter, hessian);
    // Only x of point 1 is free.
    for (int row = 0; row < 2; ++row)
      for (int k = pattern->row_start[row]; k < pattern->row_start[row + 1]; ++k)
        for (int e = 0; e < 9; ++e) {
          const bool free = row == 1 && pattern->column[k] == 1 && e == 0;
          const bool diagonal = k == pattern->diagonal[row] && e % 4 == 0;
          double& value = hessian.values[9 * std::size_t(k) + e];
          value = free ? value + 1.0 : diagonal ? 1.0 : 0.0;
        }
  }
  Residual residual(const Vector&, const Vector& gradient) const override { return {gradient.norm(), 0.0}; }
  bool refresh(Vector&, double) override { return false; }

  std::shared_ptr<const BlockPattern> pattern;

 private:
  void mask(Vector& g) const {
    for (int i : {0, 1, 2, 4, 5}) g[i] = 0.0;
  }
  std::unique_ptr<Energy> spring_;
  Chord chord_;
  double y_;
};

/// Newton's method on F with a line search on F^2: what the paper compares with.
double find_root(const Figure3& problem, double x) {
  for (int i = 0; i < 200; ++i) {
    const double f = problem.f(x), d = -f / problem.df(x);
    double step = 1.0;
    while (step > 1e-12 && !(std::abs(problem.f(x + step * d)) < std::abs(f) * (1 - 1e-4 * step)))
      step *= 0.5;
    if (step <= 1e-12) break;
    x += step * d;
  }
  return x;
}

TEST(Newton, MinimisingReachesTheRootFromEveryStartWhereRootFindingDoesNot) {
  Figure3 problem;
  int lost = 0;
  for (int k = 0; k <= 120; ++k) {
    const double start = -3.0 + 0.05 * k;
    Newton newton(problem.pattern, make_linear_solver(LinearKind::direct), {1e-12, 200});
    Vector x = Vector::Zero(6);
    x[3] = start;
    const NewtonReport report = newton.minimize(problem, x);
    EXPECT_TRUE(report.solved()) << start;
    EXPECT_LT(std::abs(problem.f(x[3])), 1e-9) << start;
    EXPECT_NEAR(x[3], 1.0, 0.2) << start;
    if (std::abs(problem.f(find_root(problem, start))) > 1e-3) ++lost;
  }
  EXPECT_GT(lost, 0) << "the paper says that the merit function has a local minimum between -1.5 and -0.5";
}

/// The same with a stiff unit of the gradient, and a motion that tells how far there is to go.
class StiffFigure3 : public Figure3 {
 public:
  Residual residual(const Vector&, const Vector& gradient) const override {
    return {1e3 * gradient.norm(), 0.0};
  }
  double motion(const Vector& change) const override { return change.norm(); }
};

TEST(Newton, WhatIsLeftToMoveEndsAStiffStep) {
  StiffFigure3 problem;
  constexpr double tolerance = 1e-4;
  int earlier = 0;
  for (int k = 0; k <= 40; ++k) {
    Vector x = Vector::Zero(6);
    x[3] = 0.5 + 0.05 * k;
    Newton newton(problem.pattern, make_linear_solver(LinearKind::direct), {tolerance, 200});
    double norm = 0.0;
    newton.trace = [&](const NewtonRecord& record) { norm = record.norm; };
    const NewtonReport report = newton.minimize(problem, x);
    EXPECT_EQ(report.exit, NewtonReport::Exit::converged);
    EXPECT_LE(report.residual, tolerance);
    // The last Hessian is that of one iteration before.
    EXPECT_LE(std::abs(problem.f(x[3]) / problem.df(x[3])), 2.0 * tolerance);
    earlier += norm > tolerance;
  }
  EXPECT_GT(earlier, 0) << "the norm alone would have gone on";
}

/// AVF paper, figure 2: Gonzalez' midpoint discrete gradient of H = 128 x^4 + v^2/2, two equations in (x, v),
/// solved by Newton with a line search on |a|^2 from the same guess that AVF takes.
TEST(Newton, RootFindingOnTheDiscreteGradientGetsStuck) {
  using Eigen::Vector2d;
  const Vector2d z0(-1.10, 12.25);
  const double h = 0.033;
  const auto energy = [](const Vector2d& z) { return 128 * std::pow(z[0], 4) + 0.5 * z[1] * z[1]; };
  const auto a = [&](const Vector2d& z) -> Vector2d {
    const Vector2d m = 0.5 * (z + z0), d = z - z0, g(512 * std::pow(m[0], 3), m[1]);
    const double gap = d.squaredNorm() > 0 ? (energy(z) - energy(z0) - g.dot(d)) / d.squaredNorm() : 0.0;
    const Vector2d dg = g + gap * d;
    return {d[0] - h * dg[1], d[1] + h * dg[0]};
  };
  const auto solve = [&](Vector2d z) {
    for (int i = 0; i < 500; ++i) {
      Eigen::Matrix2d j;
      for (int k = 0; k < 2; ++k) {
        const Vector2d e = 1e-6 * Vector2d::Unit(k);
        j.col(k) = (a(z + e) - a(z - e)) / 2e-6;
      }
      const Vector2d r = a(z);
      const double det = j(0, 0) * j(1, 1) - j(0, 1) * j(1, 0);
      const Vector2d d(-(j(1, 1) * r[0] - j(0, 1) * r[1]) / det, -(j(0, 0) * r[1] - j(1, 0) * r[0]) / det);
      double step = 1.0;
      while (step > 1e-12 && !(a(z + step * d).norm() < r.norm() * (1 - 1e-4 * step))) step *= 0.5;
      if (step <= 1e-12) break;
      z += step * d;
    }
    return a(z).norm();
  };
  int stuck = 0, solved = 0;
  for (double x = -3; x <= 3; x += 0.25)
    for (double v = -60; v <= 60; v += 10) (solve({x, v}) < 1e-6 ? solved : stuck)++;
  EXPECT_GT(stuck, 0);
  EXPECT_GT(solved, 0);
}

}  // namespace
}  // namespace verve
