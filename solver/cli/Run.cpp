// verve run: a scene file in, a cache, a report and checkpoints out.
#include <sys/prctl.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <atomic>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/Error.h"
#include "base/Parallel.h"
#include "base/Text.h"
#include "cli/Commands.h"
#include "cli/MeshScene.h"
#include "cli/Progress.h"
#include "cli/ReportFile.h"
#include "cli/ShellQuoted.h"
#include "cli/Start.h"
#include "io/FileBytes.h"
#include "io/SceneFile.h"
#include "io/SequenceFile.h"
#include "io/SequenceWriter.h"
#include "parameters/SceneCheck.h"
#include "simulation/Checkpoint.h"
#include "simulation/Export.h"
#include "simulation/Simulation.h"

namespace verve {
namespace {

namespace fs = std::filesystem;

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

/// Beside the cache there will be the scene, so that the artist can change it; one that is there already
/// stays.
std::string write_mesh_scene(const std::string& mesh, const std::string& out) {
  std::vector<std::string> notes;
  const std::string scene = scene_of_mesh(mesh, notes);
  const fs::path folder = out.empty() ? fs::path("out") / cache_name_of(mesh) : fs::path(out);
  const std::string path = (folder / (cache_name_of(mesh) + ".json")).string();
  if (fs::exists(path)) {
    std::fprintf(stderr, "verve: %s: taking the scene that is there, %s\n", mesh.c_str(), path.c_str());
    return path;
  }
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw Error(folder.string() + ": cannot make this folder: " + failed.message());
  write_bytes(path, scene);
  for (const std::string& note : notes) std::fprintf(stderr, "verve: %s: %s\n", mesh.c_str(), note.c_str());
  std::fprintf(stderr, "verve: the scene made for it, to be changed and run: %s\n", path.c_str());
  return path;
}

/// Files in centimetres are the commonest slip.
void warn_of_sizes(SceneFile& file) {
  for (const Body& body : file.scene.bodies) {
    Eigen::AlignedBox3d box;
    for (const Vec3& p : body.rest) box.extend(p);
    const double size = box.isEmpty() ? 1.0 : box.sizes().maxCoeff();
    if (size > 50.0 || size < 0.005)
      file.warnings.push_back("body '" + body.name + "' is " + shortest(size) +
                              " m across; lengths are metres: if its file has another unit, give it a "
                              "transform.scale, such as 0.01 for centimetres");
  }
}

/// The scene as run: its last frame is the one that --frames names.
std::string as_run(const SceneFile& file, int last) {
  if (last == file.scene.last_frame) return file.json;
  Json json = Json::parse(file.json);
  json["frames"][1] = last;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// The files of the cache that PDG has not been told of yet.
class NewFiles {
 public:
  NewFiles(fs::path folder, const OutputSettings& output) : folder_(std::move(folder)), output_(output) {}
  void add(int frame) {
    if (!is_sequence_file(output_.format))
      waiting_.push_back(frame_path(folder_.string(), output_.name, frame, output_.format));
  }
  /// They are all on the disk.
  void tell(const Progress& progress) {
    for (const std::string& path : waiting_) progress.file(path);
    waiting_.clear();
  }
  void close() {
    if (is_sequence_file(output_.format))
      waiting_.push_back((folder_ / (output_.name + "." + output_.format)).string());
  }

 private:
  fs::path folder_;
  const OutputSettings& output_;
  std::vector<std::string> waiting_;
};

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
  const std::string scene_path =
      is_mesh_name(options.scene) ? write_mesh_scene(options.scene, options.out) : options.scene;
  SceneFile file = read_scene(scene_path, options.settings);
  warn_of_sizes(file);
  const auto [first, last] = frame_range(options.frames, file.scene);
  Simulation simulation = start(file, scene_path);
  for (const std::string& warning : file.warnings)
    std::fprintf(stderr, "verve: warning: %s\n", warning.c_str());

  warn_of_large_step(simulation);

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
  write_bytes((folder / "scene.json").string(), as_run(file, last));
  ReportFile report((folder / "report.csv").string(), resumed ? &begin : nullptr);
  Progress progress({options.quiet, options.alf, options.pdg}, begin, last);
  NewFiles files(folder, file.output);
  const auto keep = [&](const FrameReport& r) {
    report.add(r);
    if (r.frame < first || r.frame > last || (r.frame - first) % file.output.every != 0) return;
    cache.write(r.frame, [&file, x = simulation.state().x, v = simulation.state().v, r] {
      return export_frame(file.scene, x, v, r, file.output.surface);
    });
    files.add(r.frame);
  };
  const auto save = [&] {
    cache.flush();
    write_checkpoint(checkpoint_path, {file.fingerprint, simulation.frame(), simulation.state()});
    files.tell(progress);
  };
  // Saves what there is after a stop; the exit code.
  const auto stop = [&](const std::string& why, const char* advice, int code) {
    progress.close();
    try {
      save();
    } catch (const std::exception& error) {  // the disk: an earlier checkpoint may still be there
      std::fprintf(stderr, "verve: %s, and saving failed: %s\n", why.c_str(), error.what());
      return 1;
    }
    std::fprintf(stderr, "verve: %s; frames up to %d are in %s%s\n", why.c_str(), simulation.frame(),
                 folder.string().c_str(), advice);
    return code;
  };

  const InterruptGuard guard;
  if (options.with_parent && (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || ::getppid() == 1))
    interrupted = true;
  simulation.watch(&interrupted);
  if (!options.quiet) simulation.show([&](double time) { progress.within(time); });
  try {
    if (!resumed) {
      keep(simulation.report());
      save();
    }
    while (simulation.frame() < last) {
      const FrameReport r = simulation.advance();
      keep(r);
      progress.frame(r);
      const int every = file.output.checkpoint_every;
      if ((every > 0 && (r.frame - file.scene.first_frame) % every == 0) || r.frame == last) save();
    }
    cache.finish();
    files.close();
    files.tell(progress);
  } catch (const Cancelled&) {
    return stop("interrupted", "; go on with --resume", 130);
  } catch (const SimulationError& error) {
    return stop(error.what(), "", 1);
  } catch (const Error& error) {  // the disk: nothing is wrong with the input
    progress.close();
    std::fprintf(stderr, "verve: %s\n", error.what());
    return 1;
  }
  progress.close();
  if (!options.quiet)
    std::printf("frames %d to %d are in %s, with report.csv beside them; look at them with: verve view %s\n",
                first, last, folder.string().c_str(), shell_quoted(folder.string()).c_str());
  return 0;
}

}  // namespace verve
