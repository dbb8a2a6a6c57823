// Times the linear solvers on clamped elastic bars against CHOLMOD (double, supernodal, METIS, one thread),
// all in one run and interleaved, so that noise hits all alike. Prints the best times and ratios to CHOLMOD's
// factorisation. Usage: linear_bench [rounds] [largest bar in tets]. Run it with OMP_THREAD_LIMIT=1.
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "base/Parallel.h"
#include "bench/Cholmod.h"
#include "linear/ElasticBar.h"
#include "linear/FactorPcg.h"
#include "linear/IterativeSolver.h"

namespace verve {
namespace {

double milliseconds(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

struct Candidate {
  std::string name;
  int threads;
  std::function<void()> run;
  std::vector<double> times;

  double best() const { return *std::min_element(times.begin(), times.end()); }
};

void compare(int nx, int ny, int nz, int rounds) {
  ElasticBarOptions options;
  options.cell = 1.0 / nx;
  const ElasticBar bar = make_elastic_bar(nx, ny, nz, options);
  const BlockMatrix& a = bar.matrix;
  const Vector b = Vector::LinSpaced(bar.positions.size(), -1, 1);
  Vector x;
  bench::Cholmod cholmod(a);
  SupernodalCholesky<double> full;
  SupernodalCholesky<float> half;
  FactorPcg factor_pcg;
  IterativeSolver multigrid;
  const double symbolic = milliseconds([&] { full.analyze(*bar.pattern); });
  half.analyze(*bar.pattern);
  factor_pcg.analyze(bar.pattern);
  multigrid.set_positions(bar.positions);
  multigrid.analyze(bar.pattern);
  factor_pcg.factorize(a);

  std::vector<Candidate> candidates;
  candidates.push_back({"CHOLMOD double factor", 1, [&] { cholmod.factorize(); }, {}});
  for (int threads : {1, 2}) {
    const auto add = [&](const char* name, std::function<void()> run) {
      candidates.push_back({name, threads, std::move(run), {}});
    };
    add("double factor", [&] { full.factorize(a); });
    add("double solve", [&] { full.solve(b, x); });
    add("float factor", [&] { half.factorize(a); });
    add("float solve", [&] { half.solve(b, x); });
    add("matrix product", [&] { a.multiply(b, x); });
    add("PCG on float factor, 1e-6", [&] { factor_pcg.solve(a, b, x, 1e-6); });
    add("multigrid refresh", [&] { multigrid.factorize(a); });
    add("PCG on multigrid, 1e-3", [&] { multigrid.solve(a, b, x, 1e-3); });
    add("PCG on multigrid, 1e-6", [&] { multigrid.solve(a, b, x, 1e-6); });
  }
  for (int round = -1; round < rounds; ++round)
    for (Candidate& candidate : candidates) {
      const ThreadLimit limit(candidate.threads);
      const double time = milliseconds(candidate.run);
      if (round >= 0) candidate.times.push_back(time);
    }
  const FrontTree& tree = full.tree();
  std::printf("\n%d tets, %d points, %.3g Gflop, %.3g M entries, %zu fronts, symbolic %.3g ms\n", bar.tets,
              bar.pattern->rows(), tree.flops * 1e-9, double(tree.panel_size) * 1e-6, tree.fronts.size(),
              symbolic);
  std::printf("  %-28s %7s %10s %18s %12s\n", "", "threads", "ms", "ratio to CHOLMOD", "speed-up");
  for (const Candidate& candidate : candidates) {
    const auto alone = std::find_if(candidates.begin(), candidates.end(),
                                    [&](const Candidate& other) { return other.name == candidate.name; });
    std::printf("  %-28s %7d %10.3f %18.4f %12.2f\n", candidate.name.c_str(), candidate.threads,
                candidate.best(), candidate.best() / candidates[0].best(), alone->best() / candidate.best());
  }
}

}  // namespace
}  // namespace verve

int main(int count, char** words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : 9;
  const int largest = count > 2 ? std::atoi(words[2]) : 100000;
  openblas_set_num_threads(1);
  const int bars[][3] = {{20, 4, 4}, {33, 8, 8}, {40, 10, 10}, {65, 16, 16}};
  for (const auto& bar : bars)
    if (6 * bar[0] * bar[1] * bar[2] <= largest) verve::compare(bar[0], bar[1], bar[2], rounds);
}
