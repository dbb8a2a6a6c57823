// Whole frames of shots in contact: Newton iterations and time a frame, from the first touch on, beside the
// free flight before it.
//   frame_bench [WORD] [--tolerance T] [--undamped] [--auto] [--threads N]: only shots whose names hold WORD.
//   frame_bench --sheets: membranes of 50 x 50 and 100 x 100 cells beside springs.
//   frame_bench WORD --yardstick: beside position-based dynamics, and how far each is from a run at h/50.
//   frame_bench [--names] --ratios: a row of frames.csv, or its heading; see table.sh.
//   frame_bench [WORD] --phases [--quality Q] [--plot FILE.svg]: where the time of contact frames goes, on
//   one thread and on two, export included; and hares through the node that hosts show.
#include <array>
#include <cstdio>

#include "base/Parallel.h"
#include "bench/FramePhases.h"
#include "bench/Yardstick.h"
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
  std::string word, tolerance = "1e-4", steps = "1", quality = "preview", plot;
  bool damped = true, yardstick = false, ratios = false, names = false, phases = false, cloth = false;
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
    else if (is == "--ratios")
      ratios = true;
    else if (is == "--names")
      names = true;
    else if (is == "--phases")
      phases = true;
    else if (is == "--quality" && i + 1 < argc)
      quality = argv[++i];
    else if (is == "--plot" && i + 1 < argc)
      plot = argv[++i];
    else if (is == "--auto")
      steps = "\"auto\"";
    else
      word = is;
  }
  if (phases) {
    std::vector<bench::Phased> rows;
    bench::print_phase_heading();
    for (const bench::Shot& shot : bench::phase_shots())
      if (shot.name.find(word) != std::string::npos) bench::take_apart(shot, quality, rows);
    if (!plot.empty()) bench::plot_phases(rows, quality, plot);
    return 0;
  }
  const ThreadLimit limit(threads);
  if (ratios) {
    names ? bench::print_ratio_names() : bench::print_ratios();
    return 0;
  }
  if (yardstick) {
    std::printf("%-20s %-26s %10s %10s %10s %10s %12s\n", "", "", "ms a frame", "bounce m", "J at 1 s",
                "least vol.", "deepest m");
    for (const bench::Shot& shot : bench::shots())
      if (shot.name.find(word) != std::string::npos) bench::print_yardstick(shot);
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
