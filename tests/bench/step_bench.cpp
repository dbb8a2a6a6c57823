// What a whole Newton iteration costs, in units of one CHOLMOD factorisation (double, supernodal, METIS, one
// thread) of the same matrix, all in one run and interleaved. Prints one row of a table, as Markdown. Run it
// by tests/bench/table.sh, or by hand with OMP_THREAD_LIMIT=1:
//   step_bench bar NX NY NZ      clamped bar under its weight (E 5e5, nu .35, h = 1/30, tolerance 1e-6)
//   step_bench cloth NX NY 1     cloth of springs that hangs by two corners, the same; rows by vertices
//   step_bench lively NX NY NZ   stretched and twisted StVK bar (AVF, tolerance 1e-8), against Newton with
//   CHOLMOD and
//                                the papers' Tikhonov loop
#include <cblas.h>
#include <sys/resource.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "Scenes.h"
#include "base/Parallel.h"
#include "bench/Cholmod.h"
#include "minimize/Newton.h"

namespace verve {
namespace {

template <class Body>
double seconds(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double peak_megabytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024.0;
}

Scene clamped_bar(const std::array<int, 3>& cells) {
  Scene scene;
  scene.fps = 30;
  const Vec3 size(1.0, double(cells[1]) / cells[0], double(cells[2]) / cells[0]);
  scene.bodies.push_back(
      make_soft_body("bar", make_box(size, cells), TetModel::stvk, lame_from_young(5e5, 0.35), 1000.0));
  PinSet clamp;
  const std::vector<Vec3>& x = scene.bodies[0].x;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i][0] < -0.4999) clamp.points.push_back(int(i));
  scene.pins.push_back(clamp);
  return scene;
}

Scene hanging_cloth(const std::array<int, 3>& cells) {
  Scene scene;
  scene.fps = 30;
  scene.bodies.push_back(
      make_cloth("cloth", make_sheet({1, 1}, {cells[0], cells[1]}), SpringModel::stvk, 200.0, 10.0, 0.1));
  PinSet corners;
  const std::vector<Vec3>& x = scene.bodies[0].x;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i][0] < -0.4999 && std::abs(x[i][2]) > 0.4999) corners.points.push_back(int(i));
  scene.pins.push_back(corners);
  return scene;
}

/// The matrix of the first Newton iteration: mass plus h^2 times the stiffness at rest, with the pins held.
BlockMatrix first_matrix(Simulation& simulation, double h) {
  const System& system = simulation.system();
  BlockMatrix matrix(system.pattern);
  for (int i = 0; i < system.points(); ++i)
    for (int d : {0, 4, 8})
      matrix.values[9 * std::size_t(matrix.pattern->diagonal[i]) + d] = system.mass[3 * Eigen::Index(i)];
  const Chord chord{simulation.state().x, {{1.0, h * h}}};
  system.add_hessian(chord, simulation.state().x, 0.0, matrix);
  return matrix;
}

Eigen::SparseMatrix<double> lower_triangle(const BlockMatrix& a) {
  std::vector<Eigen::Triplet<double>> entries;
  const BlockPattern& p = *a.pattern;
  for (int i = 0; i < p.rows(); ++i)
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          if (3 * i + r >= 3 * p.column[k] + c)
            entries.emplace_back(3 * i + r, 3 * p.column[k] + c, a.values[9 * std::size_t(k) + 3 * r + c]);
  Eigen::SparseMatrix<double> lower(3 * p.rows(), 3 * p.rows());
  lower.setFromTriplets(entries.begin(), entries.end());
  return lower;
}

/// One way to step, on its own threads.
struct Way {
  IntegratorType type;
  LinearKind linear;
  int threads;
  std::unique_ptr<Scene> scene;
  std::unique_ptr<Simulation> simulation;
  std::vector<double> cost;   ///< seconds an iteration
  std::vector<double> frame;  ///< seconds a frame
};

/// A row, with `size` for its name.
void bench_scene(const Scene& scene, int size) {
  const bool large = scene.points() > 12000, largest = scene.bodies[0].tets.size() > 300000;
  std::vector<Way> ways;
  const auto add = [&](IntegratorType type, LinearKind linear, int threads) {
    Way way{type, linear, threads, std::make_unique<Scene>(scene), nullptr, {}, {}};
    way.scene->integrator.type = type;
    way.scene->integrator.linear = linear;
    way.scene->integrator.newton.tolerance = 1e-6;
    way.simulation = std::make_unique<Simulation>(*way.scene);
    ways.push_back(std::move(way));
  };
  for (IntegratorType type : {IntegratorType::backward_euler, IntegratorType::avf}) {
    for (int threads : {1, 2}) add(type, LinearKind::automatic, threads);
    if (largest) break;  // memory: backward Euler only
  }
  const std::size_t fast = ways.size();
  std::vector<double> cholmod_times, eigen_times;
  std::unique_ptr<bench::Cholmod> cholmod;
  std::unique_ptr<Eigen::SimplicialLLT<Eigen::SparseMatrix<double>>> eigen;
  Eigen::SparseMatrix<double> lower;
  double ours = 0.0;
  const int frames = 6;
  for (int frame = 0; frame < frames; ++frame) {
    for (Way& way : ways) {
      const ThreadLimit limit(way.threads);
      int iterations = 0;
      const double time = seconds([&] { iterations = way.simulation->advance().steps.newton_iterations; });
      if (frame == 0) continue;
      way.cost.push_back(time / std::max(iterations, 1));
      way.frame.push_back(time);
    }
    if (frame == 0) {
      ours = peak_megabytes() / double(fast);
      if (!large)
        for (IntegratorType type : {IntegratorType::backward_euler, IntegratorType::avf})
          add(type, LinearKind::direct, 1);
      if (largest) continue;
      const BlockMatrix matrix = first_matrix(*ways[0].simulation, 1.0 / 30);
      cholmod = std::make_unique<bench::Cholmod>(matrix);
      lower = lower_triangle(matrix);
      if (!large) {
        eigen = std::make_unique<Eigen::SimplicialLLT<Eigen::SparseMatrix<double>>>();
        eigen->analyzePattern(lower);
      }
    }
    if (cholmod) cholmod_times.push_back(seconds([&] { cholmod->factorize(); }));
    if (eigen && frame < 3) eigen_times.push_back(seconds([&] { eigen->factorize(lower); }));
  }
  const double unit = median(cholmod_times);
  const auto cell = [](const char* format, double value) {
    std::isfinite(value) ? std::printf(format, value) : std::printf(" |");
  };
  std::printf("| %d |", size);
  cell(" %.1f |", 1e3 * unit);
  cell(" %.1f |", median(eigen_times) / unit);
  const auto pair_of = [&](LinearKind linear, int threads) {
    std::array<const Way*, 2> found{};
    for (const Way& way : ways)
      if (way.linear == linear && way.threads == threads) found[way.type == IntegratorType::avf] = &way;
    return found;
  };
  // With a factor for each iteration, the schemes' iterations compare as they are.
  const auto [direct_euler, direct_avf] = pair_of(LinearKind::direct, 1);
  cell(" %.2f |", direct_avf ? median(direct_avf->cost) / median(direct_euler->cost) : NAN);
  for (int threads : {1, 2}) {
    const auto [euler, avf] = pair_of(LinearKind::automatic, threads);
    cell(" %.1f |", 1e3 * median(euler->cost));
    cell(" %.2f |", median(euler->cost) / unit);
    if (!avf) {
      std::printf(" |");
      continue;
    }
    // One factor serves all iterations of a frame, so that the fewer of them look the dearer: hence also the
    // frame.
    std::printf(" %.2f (%.2f) |", median(avf->cost) / median(euler->cost),
                median(avf->frame) / median(euler->frame));
  }
  std::printf(" %.0f |\n", ours);
}

/// AVF's step with Simpson's rule; indefinite Hessians are left as they are.
class AvfStep final : public Objective {
 public:
  AvfStep(const System& system, const Vector& x0, const Vector& v0, double h, double energy)
      : system_(system), h_(h), energy_(energy) {
    chord_.x0 = x0;
    chord_.samples = {{0.5, h * h * 2.0 / 3.0}, {1.0, h * h / 12.0}};
    Vector gradient = -system.weight;
    for (const auto& elastic : system.elastic) elastic->at(x0, &gradient);
    y_ = x0 + h * v0 - h * h / 12.0 * gradient.cwiseQuotient(system.mass);
  }
  Value evaluate(const Vector& x, Vector& gradient) override {
    const Vector d = x - y_;
    gradient = system_.mass.cwiseProduct(d);
    const double inertia = 0.5 * d.dot(gradient), elastic = system_.evaluate(chord_, x, &gradient);
    return {inertia + elastic, inertia + std::abs(elastic)};
  }
  void hessian(const Vector& x, double, BlockMatrix& hessian) override {
    std::fill(hessian.values.begin(), hessian.values.end(), 0.0);
    for (int i = 0; i < system_.points(); ++i)
      for (int d : {0, 4, 8})
        hessian.values[9 * std::size_t(hessian.pattern->diagonal[i]) + d] = system_.mass[3 * Eigen::Index(i)];
    system_.add_hessian(chord_, x, 0.0, hessian);
  }
  Residual residual(const Vector&, const Vector& gradient) const override {
    const double norm = std::sqrt((gradient.array().square() / system_.mass.array()).sum());
    return {2.0 / h_ * norm / std::sqrt(2.0 * energy_), 0.0};
  }
  bool refresh(Vector&, double) override { return false; }

 private:
  const System& system_;
  double h_, energy_;
  Chord chord_;
  Vector y_;
};

class CholmodSolver final : public LinearSolver {
 public:
  void analyze(std::shared_ptr<const BlockPattern> pattern) override { pattern_ = std::move(pattern); }
  bool factorize(const BlockMatrix& a) override {
    ++factorizations_;
    if (!cholmod_) cholmod_ = std::make_unique<bench::Cholmod>(a);
    return cholmod_->factorize(a);
  }
  bool solve(const BlockMatrix&, const Vector& b, Vector& x, double) override {
    cholmod_->solve(b, x);
    return true;
  }

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::unique_ptr<bench::Cholmod> cholmod_;
};

void bench_lively(const std::array<int, 3>& cells) {
  const Scene start = test::bar_scene(TetModel::stvk, 1.5, 1.5, cells);
  Scene scene = start;
  scene.integrator.newton.tolerance = 1e-8;
  std::vector<std::unique_ptr<Simulation>> ours;
  for (int threads = 1; threads <= 2; ++threads) ours.push_back(std::make_unique<Simulation>(scene));
  Simulation theirs(scene);
  System& system = theirs.system();
  State state = theirs.state();
  const double h = 1.0 / scene.fps, energy = state.ledger.largest;
  Newton newton(system.pattern, std::make_unique<CholmodSolver>(), NewtonOptions{1e-8, 500}, Vector());

  double cholmod = 0.0, own[2] = {0.0, 0.0};
  int iterations = 0, failed = 0, own_iterations = 0;
  const int frames = 10;
  for (int frame = 0; frame < frames; ++frame) {
    for (int k : {0, 1}) {
      const ThreadLimit limit(k + 1);
      FrameReport report;
      own[k] += seconds([&] { report = ours[k]->advance(); });
      if (k == 0) own_iterations += report.steps.newton_iterations;
    }
    const ThreadLimit limit(1);
    cholmod += seconds([&] {
      AvfStep step(system, state.x, state.v, h, energy);
      Vector x = state.x + h * state.v;
      const NewtonReport report = newton.minimize(step, x);
      iterations += report.iterations;
      failed += !report.solved();
      state.v = 2.0 * (x - state.x) / h - state.v;
      state.x = x;
    });
  }
  std::printf("| %d | %.0f | %.1f | %d | %.1f | %.1f | %.1f |\n", 6 * cells[0] * cells[1] * cells[2],
              1e3 * cholmod / frames, double(iterations) / frames, failed, double(own_iterations) / frames,
              cholmod / own[0], cholmod / own[1]);
}

}  // namespace
}  // namespace verve

int main(int count, char** words) {
  openblas_set_num_threads(1);
  const std::string kind = count > 4 ? words[1] : "";
  if (kind != "bar" && kind != "cloth" && kind != "lively") {
    std::fprintf(stderr, "usage: step_bench bar|cloth|lively NX NY NZ\n");
    return 2;
  }
  const std::array<int, 3> cells{std::atoi(words[2]), std::atoi(words[3]), std::atoi(words[4])};
  if (kind == "bar")
    verve::bench_scene(verve::clamped_bar(cells), 6 * cells[0] * cells[1] * cells[2]);
  else if (kind == "cloth")
    verve::bench_scene(verve::hanging_cloth(cells), (cells[0] + 1) * (cells[1] + 1));
  else
    verve::bench_lively(cells);
}
