// Minimising the Lilyan against finding the root of its gradient (HP paper, section 5.4): the same steps of
// HP with alpha = 1/2, h = 0.01 s, of a stretched and twisted bar, the same tolerance and the same linear
// solver. Then AVF's two initial guesses (AVF paper, section 3), h = 0.033 s.
//
// root_finding_bench [STEPS [MOST_TETS]]: larger bars are left out.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "Systems.h"

namespace verve {
namespace {

using test::Case;

constexpr double tolerance = 1e-8;

/// What one step minimises, in positions: 1/2 |x - y|^2_M + sum_j w_j W(x0 + s_j (x - x0)).
class StepObjective final : public Objective {
 public:
  StepObjective(const System& system, const State& state, double h, Vector y, std::vector<Sample> samples)
      : system_(system), h_(h), energy_(state.ledger.largest), y_(std::move(y)) {
    chord_.x0 = state.x;
    chord_.samples = std::move(samples);
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
  /// The next state, of HP's and of AVF's steps alike.
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

/// The Lilyan with alpha = 1/2.
StepObjective lilyan_of(const Case& c, double h) {
  return {c.system, c.state, h, c.state.x + h * c.state.v, {{0.5, h * h}}};
}

/// AVF's y: x0 + h v0 - h^2/12 grad W(x0) / m.
Vector avf_y(const Case& c, double h) {
  Vector force = Vector::Zero(c.state.x.size());
  for (const auto& energy : c.system.elastic) energy->at(c.state.x, &force);
  return c.state.x + h * c.state.v - h * h / 12.0 * force.cwiseQuotient(c.system.mass);
}

/// Newton's method on grad g = 0 with backtracking on |grad g|, which knows of no function behind the
/// equations: where the Hessian cannot be factorised it is shifted.
class RootFinder {
 public:
  explicit RootFinder(std::shared_ptr<const BlockPattern> pattern)
      : solver_(make_linear_solver(LinearKind::direct)), hessian_(pattern) {
    solver_->analyze(pattern);
    for (Vector* v : {&gradient_, &direction_, &right_}) *v = Vector::Zero(3 * Eigen::Index(pattern->rows()));
  }
  NewtonReport solve(StepObjective& f, Vector& x, double tolerance) {
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

/// Takes steps with `solve(system, objective, x)` and prints what one took.
template <class Pose, class Solve>
void race(const char* name, Case c, int steps, const Pose& pose, Solve solve) {
  int iterations = 0, factorizations = 0, evaluations = 0, failed = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; ++i) {
    auto [objective, x] = pose(c);
    const NewtonReport report = solve(c.system, objective, x);
    iterations += report.iterations;
    factorizations += report.factorizations;
    evaluations += objective.evaluations;
    failed += !report.solved();
    objective.finish(x, c.state);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%-14s %8.1f %8.1f %8.1f %8d %10.1f\n", name, double(iterations) / steps,
              double(factorizations) / steps, double(evaluations) / steps, failed,
              1e3 * seconds.count() / steps);
  std::fflush(stdout);
}

/// A minimiser that keeps its factors from step to step.
auto minimiser() {
  return [newton = std::shared_ptr<Newton>()](System& system, StepObjective& f, Vector& x) mutable {
    if (!newton)
      newton = std::make_shared<Newton>(system.pattern, make_linear_solver(LinearKind::direct),
                                        NewtonOptions{tolerance, 500}, Vector());
    return newton->minimize(f, x);
  };
}

auto root_finder() {
  return [finder = std::shared_ptr<RootFinder>()](System& system, StepObjective& f, Vector& x) mutable {
    if (!finder) finder = std::make_shared<RootFinder>(system.pattern);
    return finder->solve(f, x, tolerance);
  };
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20, most = argc > 2 ? std::atoi(argv[2]) : 1000000;
  for (const auto& [stretch, twist] : {std::pair(1.1, 0.3), {1.5, 1.5}})
    for (std::array<int, 3> cells : {std::array<int, 3>{21, 4, 4}, {33, 8, 8}, {40, 10, 10}}) {
      const int tets = 6 * cells[0] * cells[1] * cells[2];
      if (tets > most) continue;
      std::printf("\n%d tets, stretched by %g, twisted by %g rad/m; a step:\n%-14s %8s %8s %8s %8s %10s\n",
                  tets, stretch, twist, "", "Newton", "factors", "g", "failed", "ms");
      const auto bar = [&, stretch = stretch, twist = twist] { return moving_bar(cells, stretch, twist); };
      const auto hp = [h = 0.01](const Case& c) {
        return std::pair(lilyan_of(c, h), Vector(c.state.x + h * c.state.v));
      };
      race("minimisation", bar(), steps, hp, minimiser());
      race("root finding", bar(), steps, hp, root_finder());
      for (bool from_y : {false, true})
        race(
            from_y ? "AVF from y" : "AVF from x+hv", bar(), steps,
            [from_y, h = 0.033](const Case& c) {
              const Vector y = avf_y(c, h);
              return std::pair(
                  StepObjective(c.system, c.state, h, y, {{0.5, 2 * h * h / 3}, {1.0, h * h / 12}}),
                  from_y ? y : Vector(c.state.x + h * c.state.v));
            },
            minimiser());
    }
}
