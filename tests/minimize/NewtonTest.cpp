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
  double residual(const Vector&, const Vector& gradient) const override { return gradient.norm(); }
  bool refresh(const Vector&) override { return false; }

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
  EXPECT_GT(lost, 10) << "the paper says that the merit function has a local minimum between -1.5 and -0.5";
}

/// AVF paper, figure 2: the midpoint discrete gradient of E = 128 x^4 as two equations, solved by Newton on
/// |a|^2.
TEST(Newton, RootFindingOnTheDiscreteGradientGetsStuck) {
  // In one dimension the discrete gradient is (E(x) - E(x0))/(x - x0) = 128 (x^3 + x^2 x0 + x x0^2 + x0^3).
  const double x0 = -1.10, v0 = 12.25, h = 0.033;
  const auto dg = [&](double x) { return 128 * (x * x * x + x * x * x0 + x * x0 * x0 + x0 * x0 * x0); };
  const auto ddg = [&](double x) { return 128 * (3 * x * x + 2 * x * x0 + x0 * x0); };
  int stuck = 0, solved = 0;
  for (double start = -4.0; start <= 4.0; start += 0.25) {
    double x = start, v = v0;
    const auto a = [&](double px, double pv) {
      return Eigen::Vector2d(px - x0 - 0.5 * h * (v0 + pv), pv - v0 + h * dg(px));
    };
    for (int i = 0; i < 300; ++i) {
      Eigen::Matrix2d j;
      j << 1, -0.5 * h, h * ddg(x), 1;
      const Eigen::Vector2d r = a(x, v);
      const double det = j(0, 0) * j(1, 1) - j(0, 1) * j(1, 0);
      const Eigen::Vector2d d(-(j(1, 1) * r[0] - j(0, 1) * r[1]) / det,
                              -(j(0, 0) * r[1] - j(1, 0) * r[0]) / det);
      double step = 1.0;
      while (step > 1e-12 && !(a(x + step * d[0], v + step * d[1]).norm() < r.norm() * (1 - 1e-4 * step)))
        step *= 0.5;
      if (step <= 1e-12) break;
      x += step * d[0], v += step * d[1];
    }
    (a(x, v).norm() < 1e-9 ? solved : stuck)++;
  }
  EXPECT_GT(stuck, 0);
  EXPECT_GT(solved, 0);
}

}  // namespace
}  // namespace verve
