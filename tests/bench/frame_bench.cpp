// Whole frames of shots in contact: Newton iterations and time a frame, from the first touch on, beside the
// free flight before it.
//   frame_bench [WORD] [--tolerance T] [--undamped] [--auto] [--threads N]: only shots whose names hold WORD.
#include <chrono>
#include <cstdio>
#include <cstring>

#include "base/Parallel.h"
#include "bench/Shots.h"
#include "io/SceneFile.h"
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
  std::printf("%-26s %6.1f %5.0f  %8.1f %5.0f  %6.2f  %9.1f %9.1f %6.1f  %9.1e  %9.4g %9.4g\n", shot.name.c_str(),
              free.mean(), free.most, touching.mean(), touching.most,
              touching.frames ? double(touching.steps) / touching.frames : 0.0, free.milliseconds(),
              touching.milliseconds(), free.seconds > 0 ? touching.milliseconds() / free.milliseconds() : 0.0, ledger,
              last.levels.kinetic, last.levels.elastic);
  std::fflush(stdout);
}

}  // namespace
}  // namespace verve

int main(int argc, char** argv) {
  using namespace verve;
  std::string word, tolerance = "1e-4", steps = "1";
  bool damped = true;
  int threads = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string is = argv[i];
    if (is == "--tolerance" && i + 1 < argc)
      tolerance = argv[++i];
    else if (is == "--threads" && i + 1 < argc)
      threads = std::atoi(argv[++i]);
    else if (is == "--undamped")
      damped = false;
    else if (is == "--auto")
      steps = "\"auto\"";
    else
      word = is;
  }
  const ThreadLimit limit(threads);
  std::printf("tolerance %s, substeps %s, %s, %d thread%s\n", tolerance.c_str(), steps.c_str(),
              damped ? "damped as an artist would" : "undamped", threads, threads == 1 ? "" : "s");
  std::printf("%-26s %12s  %14s  %6s  %9s %9s %6s  %9s  %9s %9s\n", "", "free its", "contact its", "steps", "free ms",
              "ms", "ratio", "ledger", "kinetic", "elastic");
  const std::string settings = R"("substeps": )" + steps + R"(, "solver": {"tolerance": )" + tolerance + "}";
  for (const bench::Shot& shot : bench::shots())
    if (shot.name.find(word) != std::string::npos) print_row(shot, settings, damped);
}
