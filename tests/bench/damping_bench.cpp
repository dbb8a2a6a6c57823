// Damping against the time step: what is left of the energy after one second at 24 to 960 steps a second.
// Prints a table for each scene and strength; columns are steps a second. Then through contact: how high a
// soft box bounces by frames a second, with steps that suit the motion, other shots, and what bodies apart
// cost each other (`bounce`, `shots` or `apart` as the first word: only those; a second one: only rows whose
// names hold it).
#include <cstdio>
#include <cstring>
#include <functional>

#include "Bounce.h"
#include "Systems.h"
#include "scheme/MakeIntegrator.h"

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

/// Rows of heights in m, by frames a second and, last, at 3840 steps a second; then the worst difference as a
/// multiple of what is allowed: 5 % (10 % undamped) or a centimetre.
void print_bounces(const char* name, test::BounceScene scene) {
  scene.cells = 5;
  for (double delta : {0.0, 0.002, 0.02, 0.05, 0.2}) {
    scene.delta = delta;
    std::printf("%-34s %6g", name, delta);
    std::vector<double> by_rate;
    for (int rate : {24, 30, 60, 120, 240}) {
      scene.fps = rate;
      scene.substeps = "\"auto\"";
      by_rate.push_back(test::bounce(scene).height);
      std::printf("%8.4f", by_rate.back());
      std::fflush(stdout);
    }
    scene.fps = 240;
    scene.substeps = "16";
    const double wanted = test::bounce(scene).height;
    scene.fps = 24;
    scene.substeps = "1";
    double worst = 0.0;
    for (double height : by_rate)
      worst =
          std::max(worst, std::abs(height - wanted) / std::max(0.01, (delta > 0.0 ? 0.05 : 0.1) * wanted));
    std::printf("%10.4f%10.4f%8.2f\n", wanted, test::bounce(scene).height, worst);
    std::fflush(stdout);
  }
}

/// Heights of one table row against the last column.
void print_shots(const char* only) {
  std::printf(
      "\nOther shots, by frames a second, steps by the motion (the spun cloth against 16 steps at 24)\n");
  std::printf("%-26s%9d%9d%9d%9d%9d%10s%12s  %s\n", "", 24, 30, 60, 120, 240, "3840", "24, 1 step",
              "worst of what is allowed");
  for (const test::Shot& shot : test::shots()) {
    if (!std::strstr(shot.name, only)) continue;
    std::printf("%-26s", shot.name);
    std::vector<double> by_rate;
    for (int rate : {24, 30, 60, 120, 240}) {
      by_rate.push_back(test::outcome(shot, rate, "\"auto\""));
      std::printf("%9.4f", by_rate.back());
      std::fflush(stdout);
    }
    const bool spin = shot.share == 0.03;
    const double wanted = spin ? test::outcome(shot, 24, "16") : test::outcome(shot, 240, "16");
    const double allowed = std::max(shot.least, shot.share * std::abs(wanted));
    double worst = 0.0;
    for (std::size_t i = 0; i < (spin ? 1 : by_rate.size()); ++i)
      worst = std::max(worst, std::abs(by_rate[i] - wanted) / allowed);
    std::printf("%10.4f%12.4f  %.2f\n", wanted, test::outcome(shot, 24, "1"), worst);
    std::fflush(stdout);
  }
}

/// Boxes far apart that fall from different heights, so that somebody hits the floor in most frames.
std::string boxes_apart(int first, int last, const char* substeps) {
  std::string bodies;
  for (int i = first; i < last; ++i)
    bodies += (bodies.empty() ? "" : ", ") +
              test::box_of({}, "[" + std::to_string(2 * i) + ", " + std::to_string(0.75 + 0.15 * i) + ", 0]");
  return "{" + test::timing(24, substeps, 1e-4) + R"(, "damping": {"delta": 0.02}, "bodies": [)" + bodies +
         R"(], "colliders": [{"shape": "plane", "stiffness": 20000}]})";
}

struct Cost {
  double seconds = 0.0;
  int iterations = 0;
};

/// Of the second in which they all fall and bounce.
Cost cost_apart(int first, int last, const char* substeps) {
  const SceneFile file = make_scene(boxes_apart(first, last, substeps), "apart", {});
  Simulation simulation(file.scene);
  Cost cost;
  for (int f = 0; f < 24; ++f) {
    const FrameReport report = simulation.advance();
    cost.seconds += report.seconds;
    cost.iterations += report.steps.newton_iterations;
  }
  return cost;
}

/// What bodies apart cost each other.
void print_apart() {
  constexpr int boxes = 10;
  std::printf("\n%d boxes apart that fall from %g to %g m, one second at 24 frames a second\n", boxes, 0.5,
              0.5 + 0.15 * (boxes - 1));
  Cost alone;
  for (int i = 0; i < boxes; ++i) {
    const Cost one = cost_apart(i, i + 1, "\"auto\"");
    alone.seconds += one.seconds;
    alone.iterations += one.iterations;
  }
  const Cost together = cost_apart(0, boxes, "\"auto\""), fixed = cost_apart(0, boxes, "1");
  std::printf("%-40s%10s%16s\n", "", "seconds", "iterations");
  std::printf("%-40s%10.3f%16d\n", "each by itself, auto", alone.seconds, alone.iterations);
  std::printf("%-40s%10.3f%16d\n", "together, auto", together.seconds, together.iterations);
  std::printf("%-40s%10.3f%16d\n", "together, one step a frame", fixed.seconds, fixed.iterations);
  std::printf("together over by itself: %.2f\n", together.seconds / alone.seconds);
}

/// `only`: the rows whose names hold it.
void bounces(const char* only) {
  std::printf(
      "\nHeight of a first bounce in m, a box that falls by a metre; by frames a second, steps by the "
      "motion\n");
  std::printf("%-34s %6s%8d%8d%8d%8d%8d%10s%10s%8s\n", "", "delta", 24, 30, 60, 120, 240, "3840",
              "24, 1 step", "worst");
  const auto row = [&](const char* name, const std::function<void(test::BounceScene&)>& change) {
    test::BounceScene scene;
    change(scene);
    if (std::strstr(name, only)) print_bounces(name, scene);
  };
  row("stable neo-Hookean", [](auto&) {});
  row("StVK", [](auto& scene) { scene.model = "stvk"; });
  row("plane of 2000 N/m", [](auto& scene) { scene.stiffness = 2000; });
  row("plane of 200000 N/m", [](auto& scene) { scene.stiffness = 200000; });
  row("young 2e4", [](auto& scene) { scene.young = 2e4; });
  row("young 6e5", [](auto& scene) { scene.young = 6e5; });
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
  const char* row = argc > 2 ? argv[2] : "";
  if (std::strstr("bounce", only)) bounces(row);
  if (std::strstr("shots", only)) print_shots(row);
  if (std::strstr("apart", only)) print_apart();
}
