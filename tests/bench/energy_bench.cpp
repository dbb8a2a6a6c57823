// The promises about energy and momenta at full length: the stretched bar and sheet for 1000 and 10,000
// frames at h = 0.033 s, undamped. Prints the worst relative change of the energy. Usage: energy_bench
// [frames of the long runs].
#include <cstdio>
#include <cstdlib>

#include "Scenes.h"

namespace verve {
namespace {

using test::bar_scene;
using test::sheet_scene;

struct Name {
  IntegratorType type;
  const char* text;
};

void keeps(const char* name, Scene scene, double tolerance, int frames) {
  scene.integrator.newton.tolerance = tolerance;
  Simulation simulation(scene);
  const double start = simulation.report().levels.total();
  double worst = 0.0;
  long iterations = 0, factorizations = 0;
  int halvings = 0;
  for (int i = 0; i < frames; ++i) {
    const FrameReport r = simulation.advance();
    worst = std::max(worst, std::abs(r.levels.total() / start - 1.0));
    iterations += r.steps.newton_iterations;
    factorizations += r.steps.factorizations;
    halvings += r.halvings;
  }
  std::printf(
      "%-34s tolerance %6.0e, %5d frames: drift %8.1e   (%.1f iterations, %.1f factors a frame; %d halved)\n",
      name, tolerance, frames, worst, double(iterations) / frames, double(factorizations) / frames, halvings);
  std::fflush(stdout);
}

void compares(const char* name, Scene scene) {
  scene.integrator.newton.tolerance = 1e-6;
  for (const Name& other :
       {Name{IntegratorType::implicit_midpoint, "implicit midpoint"},
        Name{IntegratorType::newmark, "Newmark"}, Name{IntegratorType::bdf2, "BDF2"},
        Name{IntegratorType::bathe, "Bathe"}, Name{IntegratorType::backward_euler, "backward Euler"}}) {
    scene.integrator.type = other.type;
    Simulation simulation(scene);
    const double start = simulation.report().levels.total();
    double now = 1.0, most = 1.0;
    int frame = 0;
    try {
      while (frame < 1000 && now < 1000.0) {
        now = simulation.advance().levels.total() / start;
        most = std::max(most, now);
        ++frame;
      }
      std::printf("%-34s %-18s frame %4d: %8.1e of the energy, at most %.1f times\n", name, other.text, frame,
                  now, most);
    } catch (const SimulationError& error) {
      std::printf("%-34s %-18s frame %4d: %s\n", name, other.text, frame, error.what());
    }
    std::fflush(stdout);
  }
}

void projected(int frames) {
  Scene scene = bar_scene(TetModel::stvk, 1.3, 0.5);
  set_in_motion(scene.bodies[0], {0.3, -0.2, 0.1}, {1, 2, 3});
  scene.integrator.project_momentum = true;
  Simulation simulation(scene);
  const FrameReport start = simulation.report();
  double linear = 0, angular = 0, energy = 0, raw = 0;
  const auto apart = [](const Vec3& a, const Vec3& b) { return (a - b).norm() / b.norm(); };
  for (int i = 0; i < frames; ++i) {
    const FrameReport r = simulation.advance();
    linear = std::max(linear, apart(r.momentum.linear, start.momentum.linear));
    angular = std::max(angular, apart(r.momentum.angular, start.momentum.angular));
    energy = std::max(energy, std::abs(r.ledger_error()));
    raw = std::max(raw, std::abs(r.raw_drift()));
  }
  std::printf("%-34s %d frames: energy %.1e, linear %.1e, angular %.1e, raw drift %.1e\n",
              "spinning bar, momentum projected", frames, energy, linear, angular, raw);
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  const int frames = argc > 1 ? std::atoi(argv[1]) : 10000;
  for (double tolerance : {1e-6, 1e-8, 1e-10}) {
    keeps("bar, AVF", bar_scene(), tolerance, frames / 10);
    keeps("sheet, AVF", sheet_scene(), tolerance, frames / 10);
  }
  Scene scene = bar_scene(TetModel::stable_neo_hookean, 1.3, 1.0);
  scene.integrator.gauss = 3;
  scene.integrator.correction = Correction::local;
  keeps("bar, stable neo-Hookean, corrected", scene, 1e-9, frames / 10);
  compares("bar", bar_scene());
  compares("sheet", sheet_scene(1.4, 0.0));
  projected(frames);
  keeps("bar, AVF", bar_scene(), 1e-9, frames);
  keeps("sheet, AVF", sheet_scene(), 1e-9, frames);
}
