// Minimising the Lilyan against finding the root of its gradient (HP paper, section 5.4): the same steps of
// HP with alpha = 1/2, h = 0.01 s, of a stretched and twisted bar, the same tolerance and the same linear
// solver.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "Systems.h"

namespace verve {
namespace {

using test::Case;

/// The Lilyan of one step, in positions: 1/2 |x - y|^2_M + h^2 W(x0 + (x - x0)/2), y = x0 + h p0/M.
class Lilyan final : public Objective {
 public:
  Lilyan(const System& system, const State& state, double h) : system_(system), h_(h) {
    chord_.x0 = state.x;
    chord_.samples = {{0.5, h * h}};
    y_ = state.x + h * state.v;
    energy_ = state.ledger.largest;
  }
  Value evaluate(const Vector& x, Vector& gradient) override {
    ++evaluations;
    const Vector d = x - y_;
    gradient = system_.mass.cwiseProduct(d);
    const double inertia = 0.5 * d.dot(gradient), elastic = system_.evaluate(chord_, x, &gradient);
    return {inertia + elastic, inertia + std::abs(elastic)};
  }
  void hessian(const Vector& x, double filter, BlockMatrix& hessian) override {
    std::fill(hessian.values.begin(), hessian.values.end(), 0.0);
    for (int i = 0; i < system_.points(); ++i)
      for (int d : {0, 4, 8})
        hessian.values[9 * std::size_t(hessian.pattern->diagonal[i]) + d] = system_.mass[3 * Eigen::Index(i)];
    system_.add_hessian(chord_, x, filter, hessian);
  }
  double residual(const Vector&, const Vector& gradient) const override {
    const double norm = std::sqrt((gradient.array().square() / system_.mass.array()).sum());
    return 2.0 / h_ * norm / std::sqrt(2.0 * energy_);
  }
  bool refresh(Vector&) override { return false; }
  /// The next state: p = M v - h/2 grad W.
  void finish(const Vector& x, State& state) {
    state.v = 2.0 * (x - chord_.x0) / h_ - state.v;
    state.x = x;
  }

  int evaluations = 0;

 private:
  const System& system_;
  double h_, energy_;
  Chord chord_;
  Vector y_;
};

/// Newton's method on grad g = 0 with backtracking on |grad g|, which knows of no function behind the
/// equations: where the Hessian cannot be factorised it is shifted.
class RootFinder {
 public:
  explicit RootFinder(std::shared_ptr<const BlockPattern> pattern)
      : solver_(make_linear_solver(LinearKind::direct)), hessian_(pattern) {
    solver_->analyze(pattern);
    for (Vector* v : {&gradient_, &direction_, &right_}) *v = Vector::Zero(3 * Eigen::Index(pattern->rows()));
  }
  NewtonReport solve(Lilyan& f, Vector& x, double tolerance) {
    NewtonReport report;
    const long before = solver_->factorizations();
    f.evaluate(x, gradient_);
    report.residual = f.residual(x, gradient_);
    for (; report.residual > tolerance && report.iterations < 50; ++report.iterations) {
      f.hessian(x, 0.0, hessian_);
      double mean = 0.0;
      for (int d : hessian_.pattern->diagonal) mean += std::abs(hessian_.values[9 * std::size_t(d)]);
      mean /= hessian_.pattern->rows();
      for (double shift = 1e-3 * mean; !solver_->factorize(hessian_); shift *= 4.0)
        for (int d : hessian_.pattern->diagonal)
          for (int k : {0, 4, 8}) hessian_.values[9 * std::size_t(d) + k] += shift;
      right_ = -gradient_;
      solver_->solve(hessian_, right_, direction_, 1e-9);
      double step = 1.0, residual = INFINITY;
      for (; step > 1e-6; step *= 0.5) {
        trial_ = x + step * direction_;
        f.evaluate(trial_, trial_gradient_);
        residual = f.residual(trial_, trial_gradient_);
        if (residual <= (1.0 - 1e-4 * step) * report.residual) break;
      }
      if (step <= 1e-6) break;
      x = trial_;
      gradient_ = trial_gradient_;
      report.residual = residual;
    }
    report.exit = report.residual <= tolerance ? NewtonReport::Exit::converged : NewtonReport::Exit::failed;
    report.factorizations = int(solver_->factorizations() - before);
    return report;
  }

 private:
  std::unique_ptr<LinearSolver> solver_;
  BlockMatrix hessian_;
  Vector gradient_, direction_, right_, trial_, trial_gradient_;
};

Case moving_bar(std::array<int, 3> cells, double stretch, double twist) {
  Case c = test::make_bar(4e4, 1e4, {2, .5, .5}, cells);
  for (int i = 0; i < c.system.points(); ++i) {
    const Vec3 x = point(c.rest, i);
    const double a = twist * x[0];
    point(c.state.x, i) = Vec3(stretch * x[0], std::cos(a) * x[1] - std::sin(a) * x[2],
                               std::sin(a) * x[1] + std::cos(a) * x[2]);
  }
  test::reopen(c);
  return c;
}

template <class Solve>
void race(const char* name, Case c, int steps, const Solve& solve) {
  const double h = 0.01;
  int iterations = 0, factorizations = 0, evaluations = 0, failed = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; ++i) {
    Lilyan lilyan(c.system, c.state, h);
    Vector x = c.state.x + h * c.state.v;
    const NewtonReport report = solve(c.system, lilyan, x);
    iterations += report.iterations;
    factorizations += report.factorizations;
    evaluations += lilyan.evaluations;
    failed += !report.solved();
    lilyan.finish(x, c.state);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%-14s %8.1f %8.1f %8.1f %8d %10.1f\n", name, double(iterations) / steps,
              double(factorizations) / steps, double(evaluations) / steps, failed,
              1e3 * seconds.count() / steps);
  std::fflush(stdout);
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  const double tolerance = 1e-8;
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20;
  for (const auto& [stretch, twist] : {std::pair(1.1, 0.3), {1.5, 1.5}})
    for (std::array<int, 3> cells : {std::array<int, 3>{21, 4, 4}, {33, 8, 8}, {40, 10, 10}}) {
      std::printf("\n%d tets, stretched by %g, twisted by %g rad/m; a step:\n%-14s %8s %8s %8s %8s %10s\n",
                  6 * cells[0] * cells[1] * cells[2], stretch, twist, "", "Newton", "factors", "g", "failed",
                  "ms");
      std::unique_ptr<Newton> newton;
      race("minimisation", moving_bar(cells, stretch, twist), steps,
           [&](System& system, Lilyan& lilyan, Vector& x) {
             if (!newton)
               newton = std::make_unique<Newton>(system.pattern, make_linear_solver(LinearKind::direct),
                                                 NewtonOptions{tolerance, 500}, Vector());
             return newton->minimize(lilyan, x);
           });
      std::unique_ptr<RootFinder> finder;
      race("root finding", moving_bar(cells, stretch, twist), steps,
           [&](System& system, Lilyan& lilyan, Vector& x) {
             if (!finder) finder = std::make_unique<RootFinder>(system.pattern);
             return finder->solve(lilyan, x, tolerance);
           });
    }
}
