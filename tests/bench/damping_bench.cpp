// Damping against the time step: what is left of the energy after one second at 24 to 960 steps a second.
// Prints a table for each scene and strength; columns are steps a second. Then through contact: how high a
// soft box bounces by frames a second, with steps that suit the motion (`bounce` as the first word: only
// that; `all`: softer and stiffer planes and boxes too).
#include <cstdio>
#include <cstring>
#include <functional>

#include "Bounce.h"
#include "Systems.h"

namespace verve {
namespace {

using test::Case;

struct Bench {
  const char* name;
  std::function<Case()> make;
  std::function<test::FixedPins(const Case&)> pins;
};

struct Method {
  const char* name;
  IntegratorType type;
  DampingModel model;
};

const Method methods[] = {
    {"blend", IntegratorType::avf, DampingModel::blend},
    {"split", IntegratorType::avf, DampingModel::split},
    {"-D dx/h", IntegratorType::avf, DampingModel::in_step_chord},
    {"-D v1 (AVF paper)", IntegratorType::avf, DampingModel::in_step},
    {"HP 1/2, hp", IntegratorType::hp, DampingModel::hp},
    {"HP 1/2, hp frozen", IntegratorType::hp, DampingModel::hp_frozen},
    {"backward Euler + D", IntegratorType::backward_euler, DampingModel::in_step_chord},
};

/// A step, or as the simulation does it two halves of one that fails. False when nothing helps.
bool advance(Case& c, Integrator& integrator, double h, const test::FixedPins& pins, int halvings = 0) {
  const State start = c.state;
  if (test::run(c, integrator, 1, h, pins)) return true;
  c.state = start;
  return halvings < 6 && advance(c, integrator, 0.5 * h, pins, halvings + 1) &&
         advance(c, integrator, 0.5 * h, pins, halvings + 1);
}

/// The energy that is left, as a share of `scale` (0: of the largest kinetic and elastic energy of the run
/// itself).
double left_after_a_second(const Bench& bench, const Method& method, double delta, int rate) {
  Case c = bench.make();
  const test::FixedPins pins = bench.pins(c);
  IntegratorSettings settings;
  settings.type = method.type;
  settings.damping.model = method.model;
  settings.damping.delta = delta;
  settings.newton.tolerance = 1e-8;
  const auto integrator = make_integrator(c.system, settings);
  const double start = c.state.ledger.largest;
  for (int i = 0; i < rate; ++i)
    if (!advance(c, *integrator, 1.0 / rate, pins)) return NAN;
  const EnergyLevels end = measure(c.system, c.state);
  return (end.total() - c.state.ledger.start_total) /
             (start > 1e-9 * c.state.ledger.largest ? start : c.state.ledger.largest) +
         1.0;
}

/// Bent with its cross-sections turned along, so that it starts without shear, and stretched.
Case clamped_bar(double stiffness, double bend, double stretch) {
  Case c = test::make_bar(400 * stiffness, 100 * stiffness, {2, .25, .25}, {16, 2, 2});
  for (int i = 0; i < c.system.points(); ++i) {
    const Vec3 x = point(c.rest, i);
    const double s = 0.5 * (x[0] + 1.0);
    const double shape = s * s * (3.0 - s) / 2.0, slope = 0.5 * (6.0 * s - 3.0 * s * s) / 2.0;
    point(c.state.x, i) = Vec3(-1.0 + 2.0 * s * stretch - bend * slope * x[1], x[1] + bend * shape, x[2]);
  }
  test::reopen(c);
  return c;
}

test::FixedPins clamp(const Case& c) {
  return test::pin_where(c.rest, [](const Vec3& x) { return x[0] < -0.999; });
}

Case hanging_cloth() {
  Case c = test::make_sheet_of_springs(200, 50, {16, 16});
  c.system.gravity = {0, -9.81, 0};
  c.system.finish();
  test::reopen(c);
  return c;
}

test::FixedPins two_corners(const Case& c) {
  return test::pin_where(c.rest, [](const Vec3& x) { return x[0] < -0.499 && std::abs(x[2]) > 0.499; });
}

/// Rows of heights in m, by frames a second and, last, at 3840 steps a second.
void print_bounces(const char* name, test::BounceScene scene) {
  scene.cells = 5;
  for (double delta : {0.0, 0.002, 0.02, 0.05, 0.2}) {
    scene.delta = delta;
    std::printf("%-34s %6g", name, delta);
    for (int rate : {24, 30, 60, 120, 240}) {
      scene.fps = rate;
      scene.substeps = "\"auto\"";
      std::printf("%8.4f", test::bounce(scene).height);
      std::fflush(stdout);
    }
    scene.fps = 240;
    scene.substeps = "16";
    std::printf("%10.4f", test::bounce(scene).height);
    scene.fps = 24;
    scene.substeps = "1";
    std::printf("%10.4f\n", test::bounce(scene).height);
  }
}

void bounces(bool all) {
  std::printf(
      "\nHeight of a first bounce in m, a box that falls by a metre; by frames a second, steps by the "
      "motion\n");
  std::printf("%-34s %6s%8d%8d%8d%8d%8d%10s%10s\n", "", "delta", 24, 30, 60, 120, 240, "3840", "24, 1 step");
  test::BounceScene scene;
  print_bounces("stable neo-Hookean", scene);
  scene.model = "stvk";
  print_bounces("StVK", scene);
  if (!all) return;
  scene = {};
  scene.stiffness = 2000;
  print_bounces("plane of 2000 N/m", scene);
  scene.stiffness = 200000;
  print_bounces("plane of 200000 N/m", scene);
  scene = {};
  scene.young = 2e4;
  print_bounces("young 2e4", scene);
  scene.young = 6e5;
  print_bounces("young 6e5", scene);
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  const Bench benches[] = {
      {"bending bar", [] { return clamped_bar(1, 0.1, 1); }, clamp},
      {"bending bar, 100x stiffer", [] { return clamped_bar(100, 0.1, 1); }, clamp},
      {"stretched bar 5 %", [] { return clamped_bar(1, 0, 1.05); }, clamp},
      {"stretched bar 5 %, 100x stiffer", [] { return clamped_bar(100, 0, 1.05); }, clamp},
      {"hanging cloth", [] { return hanging_cloth(); }, two_corners},
  };
  const char* only = argc > 1 ? argv[1] : "";
  const bool quick = argc > 2 && std::strcmp(argv[2], "quick") == 0;
  for (const Bench& bench : benches) {
    if (!std::strstr(bench.name, only)) continue;
    for (double delta : {0.002, 0.02, 0.2, 2.0, 20.0}) {
      std::printf("\n%s, delta %g\n%-20s", bench.name, delta, "");
      for (int rate : {24, 30, 60, 120, 240, 960}) std::printf("%9d", rate);
      std::printf("\n");
      for (const Method& method : methods) {
        if (quick && method.model != DampingModel::blend) continue;
        std::printf("%-20s", method.name);
        for (int rate : {24, 30, 60, 120, 240, 960}) {
          std::printf("%9.4f", left_after_a_second(bench, method, delta, rate));
          std::fflush(stdout);
        }
        std::printf("\n");
      }
    }
  }
  if (std::strstr("bounce", only)) bounces(argc > 2 && std::strcmp(argv[2], "all") == 0);
}
