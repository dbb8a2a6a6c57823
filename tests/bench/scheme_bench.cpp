// Table 1 of the AVF paper: what a Newton iteration of each scheme costs, in units of backward Euler's, and
// how many a step takes. All schemes step the same scenes in turn, so that noise hits all alike; the figure
// is the median over rounds. Usage: scheme_bench [tet mesh instead of the hare].
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "Scenes.h"
#include "io/MeshFiles.h"
#include "mesh/ImplicitShapes.h"

namespace verve {
namespace {

struct Scheme {
  const char* name;
  IntegratorType type;
  int gauss;
};
const Scheme schemes[] = {{"backward Euler", IntegratorType::backward_euler, 0},
                          {"implicit midpoint", IntegratorType::implicit_midpoint, 0},
                          {"Newmark", IntegratorType::newmark, 0},
                          {"AVF, Simpson", IntegratorType::avf, 0},
                          {"AVF, gauss3", IntegratorType::avf, 3}};

struct Count {
  std::vector<double> cost;  ///< seconds an iteration, by round
  long iterations = 0, factorizations = 0;
  int frames = 0;
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Every scheme starts each round at the scene's first frame: later ones would not be the same problem.
void compare(const char* name, const Scene& start, LinearKind linear, int rounds, int frames) {
  std::vector<Count> counts(std::size(schemes));
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < std::size(schemes); ++i) {
      Scene scene = start;
      scene.integrator.type = schemes[i].type;
      scene.integrator.gauss = schemes[i].gauss;
      scene.integrator.linear = linear;
      scene.integrator.newton.tolerance = 1e-6;
      Simulation simulation(scene);
      simulation.advance();
      long iterations = 0;
      const auto begin = std::chrono::steady_clock::now();
      for (int f = 0; f < frames; ++f) {
        const StepReport steps = simulation.advance().steps;
        iterations += steps.newton_iterations;
        counts[i].factorizations += steps.factorizations;
      }
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      counts[i].cost.push_back(seconds / double(iterations));
      counts[i].iterations += iterations;
      counts[i].frames += frames;
    }
  const double base = median(counts[0].cost);
  std::printf("\n%s, %d points, %s solver\n%-20s %12s %8s %18s %18s %14s\n", name, start.points(),
              linear == LinearKind::direct ? "direct" : "automatic", "", "ms/iteration", "ratio",
              "iterations/frame", "factors/iteration", "frame ratio");
  // A factor that serves several iterations is dearer the fewer of them a frame takes: hence also the frame.
  const auto a_frame = [&](const Count& c) { return median(c.cost) * double(c.iterations) / c.frames; };
  for (std::size_t i = 0; i < std::size(schemes); ++i)
    std::printf("%-20s %12.2f %8.2f %18.1f %18.2f %14.2f\n", schemes[i].name, 1e3 * median(counts[i].cost),
                median(counts[i].cost) / base, double(counts[i].iterations) / counts[i].frames,
                double(counts[i].factorizations) / double(counts[i].iterations),
                a_frame(counts[i]) / a_frame(counts[0]));
  std::fflush(stdout);
}

/// Stretched a little and let go: every scheme has something to do, and none meets an indefinite Hessian,
/// whose further factorisations belong to the scene rather than to the scheme.
Scene soft(const TetMesh& mesh) {
  Scene scene;
  scene.fps = 1.0 / 0.033;
  Body body = make_soft_body("body", mesh, TetModel::stvk, {400, 100}, 1.0);
  set_mass(body, 1.0);
  deform(body, 1.05, 0.0);
  scene.bodies.push_back(body);
  return scene;
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  const TetMesh mesh = argc > 1 ? load_tet_mesh(argv[1]) : make_hare(1.0, 0.06);
  for (LinearKind linear : {LinearKind::direct, LinearKind::automatic}) {
    compare(argc > 1 ? argv[1] : "hare", soft(mesh), linear, 3, 4);
    compare("cloth of springs", test::sheet_scene(1.1, 1e-3, {40, 40}), linear, 3, 4);
  }
}
