// verve run: a scene file in, a cache, a report and checkpoints out.
#include <atomic>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/Error.h"
#include "base/Parallel.h"
#include "cli/Commands.h"
#include "cli/ReportFile.h"
#include "cli/Start.h"
#include "io/FileBytes.h"
#include "io/SceneFile.h"
#include "io/SequenceWriter.h"
#include "simulation/Checkpoint.h"
#include "simulation/Export.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

/// While it lives, Ctrl-C and a farm's polite kill ask the run to stop after the present step.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = false;
    for (int i = 0; i < 2; ++i) old_[i] = std::signal(signals[i], [](int) { interrupted = true; });
  }
  ~InterruptGuard() {
    for (int i = 0; i < 2; ++i) std::signal(signals[i], old_[i]);
  }

 private:
  static constexpr int signals[2] = {SIGINT, SIGTERM};
  void (*old_[2])(int);
};

/// The frames of --frames A-B, or the scene's.
std::pair<int, int> frame_range(const std::string& text, const Scene& scene) {
  if (text.empty()) return {scene.first_frame, scene.last_frame};
  int a = 0, b = 0;
  const char *at = text.data(), *end = at + text.size();
  const auto number = [&](int& value) {
    const auto read = std::from_chars(at, end, value);
    at = read.ptr;
    return read.ec == std::errc();
  };
  if (!number(a) || at == end || *at++ != '-' || !number(b) || at != end || b > 100000000)
    throw Error("--frames " + text + ": give it as first-last, such as 1-100");
  if (a < scene.first_frame || b < a)
    throw Error("--frames " + text + ": the scene begins at frame " + std::to_string(scene.first_frame) +
                ", and the first frame comes before the last");
  return {a, b};
}

void print_progress(const FrameReport& r, int last) {
  std::printf("frame %d/%d  time %.3f s  energy %.6g J  ledger %+.1e  %d iterations", r.frame, last, r.time,
              r.levels.total(), r.ledger_error(), r.steps.newton_iterations);
  if (r.contacts) std::printf("  %d contacts", r.contacts);
  if (r.inverted) std::printf("  %d inverted", r.inverted);
  if (r.halvings) std::printf("  %d halved steps", r.halvings);
  std::printf("  %.0f ms\n", 1e3 * r.seconds);
  std::fflush(stdout);
}

/// Explicit steps, and hp far from alpha 1/2, hold up to a step that depends on the body.
void warn_of_large_step(const Simulation& simulation) {
  const double bound = simulation.stable_step();
  if (!std::isfinite(bound)) return;
  const Scene& scene = simulation.scene();
  const double frame = 1.0 / scene.fps, h = frame / scene.substeps;
  std::fprintf(stderr, "verve: %sthe step is %.3g s; the largest stable one is about %.3g s%s\n",
               h > bound ? "warning: " : "", h, bound,
               h > bound ? (": use " + std::to_string(int(std::ceil(frame / bound))) +
                            " substeps or more, or an integrator that any step suits (avf)")
                               .c_str()
                         : "");
}

}  // namespace

int run_command(const RunOptions& options) {
  const ThreadLimit limit(options.threads);
  SceneFile file = read_scene(options.scene, options.settings);
  const auto [first, last] = frame_range(options.frames, file.scene);
  Simulation simulation = start(file, options.scene);
  for (const std::string& warning : file.warnings)
    std::fprintf(stderr, "verve: warning: %s\n", warning.c_str());

  warn_of_large_step(simulation);

  namespace fs = std::filesystem;
  const fs::path folder = options.out.empty() ? fs::path("out") / file.output.name : fs::path(options.out);
  const std::string checkpoint_path = (folder / "checkpoint.verve").string();
  const bool resumed = options.resume && fs::exists(checkpoint_path);
  if (resumed) {
    const Checkpoint checkpoint = read_checkpoint(checkpoint_path);
    if (checkpoint.fingerprint != file.fingerprint)
      throw Error(checkpoint_path +
                  " belongs to a different scene or different settings; run without --resume to begin anew");
    simulation.restore(checkpoint.frame, checkpoint.state);
  }
  if (options.resume && !resumed)
    std::fprintf(stderr, "verve: no checkpoint in %s yet; beginning at the first frame\n",
                 folder.string().c_str());
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw Error(folder.string() + ": cannot make this folder: " + failed.message());

  // The checkpoint of an earlier run promises frames that are about to go.
  if (!resumed) fs::remove(checkpoint_path, failed);

  int begin = simulation.frame();
  SequenceWriter cache({folder.string(), file.output.name, file.output.format, file.scene.fps, first,
                        resumed ? begin + 1 : first});
  write_bytes((folder / "scene.json").string(), file.json);
  ReportFile report((folder / "report.csv").string(), resumed ? &begin : nullptr);
  const auto keep = [&](const FrameReport& r) {
    report.add(r);
    if (r.frame >= first && r.frame <= last && (r.frame - first) % file.output.every == 0)
      cache.write(r.frame, export_frame(file.scene, simulation.state(), r, file.output.surface));
  };
  const auto save = [&] {
    cache.flush();
    write_checkpoint(checkpoint_path, {file.fingerprint, simulation.frame(), simulation.state()});
  };

  const InterruptGuard guard;
  simulation.watch(&interrupted);
  const auto saved_until = [&] {
    return "; frames up to " + std::to_string(simulation.frame()) + " are in " + folder.string();
  };
  try {
    if (!resumed) {
      keep(simulation.report());
      save();
    }
    while (simulation.frame() < last) {
      const FrameReport r = simulation.advance();
      keep(r);
      if (!options.quiet) print_progress(r, last);
      if ((r.frame - file.scene.first_frame) % file.output.checkpoint_every == 0 || r.frame == last) save();
    }
    cache.finish();
  } catch (const Cancelled&) {
    save();
    std::fprintf(stderr, "verve: interrupted%s; go on with --resume\n", saved_until().c_str());
    return 130;
  } catch (const SimulationError& error) {
    save();
    std::fprintf(stderr, "verve: %s%s\n", error.what(), saved_until().c_str());
    return 1;
  } catch (const Error& error) {  // the disk: nothing is wrong with the input
    std::fprintf(stderr, "verve: %s\n", error.what());
    return 1;
  }
  if (!options.quiet)
    std::printf("frames %d to %d are in %s, with report.csv beside them\n", first, last,
                folder.string().c_str());
  return 0;
}

}  // namespace verve
