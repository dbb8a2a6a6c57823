// Minimising the Lilyan against finding the root of its gradient (HP paper, section 5.4): the same steps, the
// same tolerance and the same linear solver. Then AVF's two initial guesses (AVF paper, section 3), h = 0.033
// s.
//
// root_finding_bench [STEPS [MOST_TETS]]: larger bars are left out.
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
    report.residual = f.residual(x, gradient_).worst();
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
        residual = f.residual(trial_, trial_gradient_).worst();
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

/// A step of AVF from x0 + h v0 or from its predictor y.
bench::Posed pose_avf(const test::Case& c, bool from_y) {
  const double h = 0.033;
  const Vector guess = c.state.x + h * c.state.v;
  Vector force = Vector::Zero(guess.size());
  for (const auto& energy : c.system.elastic) energy->at(c.state.x, &force);
  const Vector y = guess - h * h / 12.0 * force.cwiseQuotient(c.system.mass);
  return {{c.system, c.state, h, y, {{0.5, 2.0 * h * h / 3.0}, {1.0, h * h / 12.0}}}, from_y ? y : guess};
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  const double tolerance = 1e-8;
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20, most = argc > 2 ? std::atoi(argv[2]) : INT_MAX;
  const auto race_all = [&](const auto& bar) {
    Newton newton(bar().system.pattern, make_linear_solver(LinearKind::direct), NewtonOptions{tolerance, 500},
                  Vector());
    RootFinder finder(bar().system.pattern);
    const auto minimise = [&](Lilyan& lilyan, Vector& x) { return newton.minimize(lilyan, x); };
    const auto find_root = [&](Lilyan& lilyan, Vector& x) { return finder.solve(lilyan, x, tolerance); };
    bench::race(bar(), steps, {{"minimisation", minimise}, {"root finding", find_root}});
    bench::race(bar(), steps,
                {{"AVF from x+hv", minimise, [](const auto& c) { return pose_avf(c, false); }},
                 {"AVF from y", minimise, [](const auto& c) { return pose_avf(c, true); }}});
  };
  bench::for_each_bar(race_all, most, most);
}
