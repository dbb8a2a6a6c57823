// Whole frames of shots in contact: Newton iterations and time a frame, from the first touch on, beside the
// free flight before it.
//   frame_bench [WORD] [--tolerance T] [--undamped] [--auto] [--threads N]: only shots whose names hold WORD.
//   frame_bench --sheets: membranes of 50 x 50 and 100 x 100 cells beside springs.
//   frame_bench WORD --yardstick: beside position-based dynamics, and how far each is from a run at h/50.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "base/Parallel.h"
#include "bench/PositionBased.h"
#include "bench/Shots.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

/// Mean and largest of what a row of frames took.
struct Tally {
  int frames = 0, steps = 0;
  double sum = 0.0, most = 0.0, seconds = 0.0;

  void add(const FrameReport& report) {
    ++frames;
    steps += report.substeps;
    sum += report.steps.newton_iterations;
    most = std::max(most, double(report.steps.newton_iterations));
    seconds += report.seconds;
  }
  double mean() const { return frames ? sum / frames : 0.0; }
  double milliseconds() const { return frames ? 1e3 * seconds / frames : 0.0; }
};

void print_row(const bench::Shot& shot, const std::string& settings, bool damped) {
  const SceneFile file = make_scene(shot.scene(settings, damped), shot.name, {});
  Simulation simulation(file.scene);
  Tally free, touching;
  bool touched = false;
  double ledger = 0.0;
  const bool meets = !file.scene.colliders.empty() || file.scene.bodies.size() > 1;
  for (int f = 0; f < shot.frames; ++f) {
    const FrameReport report = simulation.advance();
    touched = touched || !meets || report.contacts > 0;
    (touched ? touching : free).add(report);
    ledger = std::max(ledger, std::abs(report.ledger_error()));
  }
  const FrameReport last = simulation.report();
  std::printf("%-26s %6.1f %5.0f  %8.1f %5.0f  %6.2f  %9.1f %9.1f %6.1f  %9.1e  %9.4g %9.4g\n",
              shot.name.c_str(), free.mean(), free.most, touching.mean(), touching.most,
              touching.frames ? double(touching.steps) / touching.frames : 0.0, free.milliseconds(),
              touching.milliseconds(), free.seconds > 0 ? touching.milliseconds() / free.milliseconds() : 0.0,
              ledger, last.levels.kinetic, last.levels.elastic);
  std::fflush(stdout);
}

/// What is seen of a run: the bounce, the energy that is left after a second, volume and contact.
struct Look {
  double seconds = 0.0;      ///< a frame
  double top = 0.0;          ///< the highest that the centre comes after its lowest, m
  double energy = 0.0;       ///< at one second, over that of lying where the centre is lowest, J
  double volume = 1.0;       ///< the least, as a share of that at rest
  double penetration = 0.0;  ///< m
  double lowest = 1e30;

  void add(double height, double least, double depth) {
    volume = std::min(volume, least);
    penetration = std::max(penetration, depth);
    if (height < lowest)
      lowest = top = height;
    else
      top = std::max(top, height);
  }
};

template <class Advance>
void timed(Look& look, int frames, const Advance& advance) {
  const auto begin = std::chrono::steady_clock::now();
  advance();
  look.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / frames;
}

double volume_share(const Scene& scene, const Vector& x) {
  double now = 0.0, rest = 0.0;
  int first = 0;
  for (const Body& body : scene.bodies) {
    for (const auto& q : body.tets) {
      const auto det = [](const Vec3& o, const Vec3& a, const Vec3& b, const Vec3& c) {
        return (a - o).cross(b - o).dot(c - o);
      };
      rest += det(body.rest[q[0]], body.rest[q[1]], body.rest[q[2]], body.rest[q[3]]);
      now +=
          det(point(x, first + q[0]), point(x, first + q[1]), point(x, first + q[2]), point(x, first + q[3]));
    }
    first += int(body.rest.size());
  }
  return rest > 0.0 ? now / rest : 1.0;
}

Look ours(const bench::Shot& shot, const std::string& settings) {
  const SceneFile file = make_scene(shot.scene(settings), shot.name, {});
  Simulation simulation(file.scene);
  const double weight = file.scene.gravity.norm() * simulation.system().mass.sum() / 3.0;
  Look look;
  for (int f = 1; f <= shot.frames; ++f) {
    FrameReport report;
    timed(look, shot.frames, [&] { report = simulation.advance(); });
    look.add(report.levels.gravity / weight, volume_share(file.scene, simulation.state().x),
             report.penetration);
    if (f == 30) look.energy = report.levels.total();
  }
  return look;
}

Look position_based(const bench::Shot& shot) {
  const SceneFile file = make_scene(shot.scene(R"("substeps": 1)"), shot.name, {});
  const Simulation compiled(file.scene);  // shares out the mass
  bench::PositionBased solver(file.scene, 20);
  double mass = 0.0;
  for (const Body& body : file.scene.bodies)
    for (double m : body.mass) mass += m;
  Look look;
  for (int f = 1; f <= shot.frames; ++f) {
    timed(look, shot.frames, [&] { solver.advance(); });
    look.add(solver.gravity() / (file.scene.gravity.norm() * mass), solver.volume(), solver.penetration());
    if (f == 30) look.energy = solver.kinetic() + solver.gravity() + solver.elastic();
  }
  return look;
}

void print_yardstick(const bench::Shot& shot) {
  const auto print = [&](const char* name, const Look& look) {
    std::printf("%-20s %-26s %10.2f %10.4f %10.4f %10.4f %12.2e\n", shot.name.c_str(), name,
                1e3 * look.seconds, look.top, look.energy, look.volume, look.penetration);
    std::fflush(stdout);
  };
  print("position based, 20", position_based(shot));
  print("ours, preview", ours(shot, R"("quality": "preview")"));
  print("ours, final", ours(shot, R"("quality": "final")"));
  print("ours, h/50", ours(shot, R"("substeps": 50, "solver": {"tolerance": 1e-6})"));
}

/// Membranes beside springs of the paper: a square metre, held by two corners, falls and swings.
std::vector<bench::Shot> sheets() {
  std::vector<bench::Shot> all;
  const std::array<const char*, 2> materials[] = {
      {"cotton", R"("material": {"fabric": "cotton"})"},
      {"denim", R"("material": {"fabric": "denim"})"},
      {"springs", R"("density": 0.13, "material": {"model": "springs", "mu": 200, "bend": 10})"}};
  for (int cells : {50, 100})
    for (const auto& [name, material] : materials) {
      const std::string n = std::to_string(cells);
      all.push_back({"sheet " + n + ", " + name, cells == 50 ? 16 : 5,
                     R"("bodies": [{"geometry": {"shape": "sheet", "size": [1, 1], "cells": [)" + n + ", " +
                         n + "]}, " + material +
                         R"(, "pins": [{"box": [[-0.5, -1, -0.5], [-0.49, 1, -0.49]]},
                                       {"box": [[0.49, -1, -0.5], [0.5, 1, -0.49]]}]}])",
                     0.0});
    }
  return all;
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  std::string word, tolerance = "1e-4", steps = "1";
  bool damped = true, yardstick = false, cloth = false;
  int threads = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string is = argv[i];
    if (is == "--tolerance" && i + 1 < argc)
      tolerance = argv[++i];
    else if (is == "--threads" && i + 1 < argc)
      threads = std::atoi(argv[++i]);
    else if (is == "--undamped")
      damped = false;
    else if (is == "--yardstick")
      yardstick = true;
    else if (is == "--sheets")
      cloth = true;
    else if (is == "--auto")
      steps = "\"auto\"";
    else
      word = is;
  }
  const ThreadLimit limit(threads);
  if (yardstick) {
    std::printf("%-20s %-26s %10s %10s %10s %10s %12s\n", "", "", "ms a frame", "bounce m", "J at 1 s",
                "least vol.", "deepest m");
    for (const bench::Shot& shot : bench::shots())
      if (shot.name.find(word) != std::string::npos) print_yardstick(shot);
    return 0;
  }
  std::printf("tolerance %s, substeps %s, %s, %d thread%s\n", tolerance.c_str(), steps.c_str(),
              damped ? "damped as an artist would" : "undamped", threads, threads == 1 ? "" : "s");
  std::printf("%-26s %12s  %14s  %6s  %9s %9s %6s  %9s  %9s %9s\n", "", "free its", "contact its", "steps",
              "free ms", "ms", "ratio", "ledger", "kinetic", "elastic");
  const std::string settings = R"("substeps": )" + steps + R"(, "solver": {"tolerance": )" + tolerance + "}";
  for (const bench::Shot& shot : cloth ? sheets() : bench::shots())
    if (shot.name.find(word) != std::string::npos) print_row(shot, settings, damped);
}
