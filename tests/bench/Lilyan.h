// One step of HP with alpha = 1/2 as a function to minimise, or whose gradient is to vanish (HP paper,
// section 5.4), and a race over steps of a stretched and twisted bar.
#pragma once

#include <chrono>
#include <climits>
#include <cstdio>
#include <functional>
#include <vector>

#include "Systems.h"

namespace verve::bench {

using test::Case;

/// The Lilyan of one step, in positions: 1/2 |x - y|^2_M + h^2 W(x0 + (x - x0)/2), y = x0 + h p0/M.
class Lilyan final : public Objective {
 public:
  Lilyan(const System& system, const State& state, double h)
      : Lilyan(system, state, h, state.x + h * state.v, {{0.5, h * h}}) {}
  /// The same of another scheme: its predictor y and the samples of W along the step.
  Lilyan(const System& system, const State& state, double h, Vector y, std::vector<Sample> samples)
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
  Residual residual(const Vector&, const Vector& gradient) const override {
    const double norm = std::sqrt((gradient.array().square() / system_.mass.array()).sum());
    return {2.0 / h_ * norm / std::sqrt(2.0 * energy_), 0.0};
  }
  bool refresh(Vector&, double) override { return false; }
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

/// A bar and how its motion begins.
struct Start {
  const char* name;
  TetModel model;
  double mu, lambda, thickness, stretch, twist;
};

/// Paper: the rod of figure 2; of its material the paper only says that explicit steps of 0.004 s can follow
/// it on 160 tets: 800 Pa (1600 blow up). Stiff: a bar whose waves cross many cells in a step. Violent: the
/// same, far from its rest.
inline const Start starts[] = {{"paper", TetModel::neo_hookean, 800, 800, .15, 1.1, 0.3},
                               {"stiff", TetModel::stvk, 4e4, 1e4, .5, 1.1, 0.3},
                               {"violent", TetModel::stvk, 4e4, 1e4, .5, 1.5, 1.5}};

inline Case moving_bar(std::array<int, 3> cells, const Start& start) {
  Case c = test::make_bar(start.mu, start.lambda, {2, start.thickness, start.thickness}, cells, start.model);
  for (int i = 0; i < c.system.points(); ++i) {
    const Vec3 x = point(c.rest, i);
    const double a = start.twist * x[0];
    point(c.state.x, i) = Vec3(start.stretch * x[0], std::cos(a) * x[1] - std::sin(a) * x[2],
                               std::sin(a) * x[1] + std::cos(a) * x[2]);
  }
  test::reopen(c);
  return c;
}

/// What a step minimises, and where it begins.
struct Posed {
  Lilyan lilyan;
  Vector x;
};

/// A step of HP, h = 0.01 s.
inline Posed pose_hp(const Case& c) {
  const double h = 0.01;
  return {{c.system, c.state, h}, c.state.x + h * c.state.v};
}

/// One way to take a step.
struct Racer {
  const char* name;
  std::function<NewtonReport(Lilyan& lilyan, Vector& x)> solve;
  std::function<Posed(const Case&)> pose = pose_hp;
};

/// Prints each racer's means over `steps` steps. All begin every step from the same state, which goes on with
/// what the first one found.
inline void race(Case c, int steps, const std::vector<Racer>& racers) {
  struct Sum {
    int iterations = 0, factorizations = 0, evaluations = 0, failed = 0;
    std::chrono::duration<double, std::milli> time{};
  };
  std::vector<Sum> sums(racers.size());
  for (int i = 0; i < steps; ++i) {
    State next = c.state;
    for (std::size_t r = 0; r < racers.size(); ++r) {
      const auto start = std::chrono::steady_clock::now();
      Posed step = racers[r].pose(c);
      const NewtonReport report = racers[r].solve(step.lilyan, step.x);
      sums[r].time += std::chrono::steady_clock::now() - start;
      sums[r].iterations += report.iterations;
      sums[r].factorizations += report.factorizations;
      sums[r].evaluations += step.lilyan.evaluations;
      sums[r].failed += !report.solved();
      if (r == 0) step.lilyan.finish(step.x, next);
    }
    c.state = next;
  }
  for (std::size_t r = 0; r < racers.size(); ++r)
    std::printf("%-14s %8.1f %8.1f %8.1f %8d %10.1f\n", racers[r].name, double(sums[r].iterations) / steps,
                double(sums[r].factorizations) / steps, double(sums[r].evaluations) / steps, sums[r].failed,
                sums[r].time.count() / steps);
  std::fflush(stdout);
}

/// Every start, with bars of 2K, 12.5K and 24K tets, up to `most`: race_all(make), where make() makes the
/// bar. In violent motion up to `most_violent`.
template <class Race>
void for_each_bar(const Race& race_all, int most, int most_violent) {
  for (const Start& start : starts)
    for (std::array<int, 3> cells : {std::array<int, 3>{21, 4, 4}, {33, 8, 8}, {40, 10, 10}}) {
      const int tets = 6 * cells[0] * cells[1] * cells[2];
      if (tets > (&start == &starts[2] ? most_violent : most)) continue;
      std::printf(
          "\n%d tets, %s (stretched by %g, twisted by %g rad/m); a step:\n%-14s %8s %8s %8s %8s %10s\n", tets,
          start.name, start.stretch, start.twist, "", "Newton", "factors", "g", "failed", "ms");
      race_all([&] { return moving_bar(cells, start); });
    }
}

}  // namespace verve::bench
