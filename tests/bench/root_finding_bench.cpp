// Minimising the Lilyan against finding the root of its gradient (HP paper, section 5.4): the same steps, the
// same tolerance and the same linear solver.
#include <cstdlib>

#include "bench/Lilyan.h"

namespace verve {
namespace {

using bench::Lilyan;

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

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  const double tolerance = 1e-8;
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20;
  bench::for_each_bar([&](const auto& bar) {
    std::unique_ptr<Newton> newton;
    bench::race("minimisation", bar(), steps, [&](System& system, Lilyan& lilyan, Vector& x) {
      if (!newton)
        newton = std::make_unique<Newton>(system.pattern, make_linear_solver(LinearKind::direct),
                                          NewtonOptions{tolerance, 500}, Vector());
      return newton->minimize(lilyan, x);
    });
    std::unique_ptr<RootFinder> finder;
    bench::race("root finding", bar(), steps, [&](System& system, Lilyan& lilyan, Vector& x) {
      if (!finder) finder = std::make_unique<RootFinder>(system.pattern);
      return finder->solve(lilyan, x, tolerance);
    });
  });
}
