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
#include "base/FileBytes.h"
#include "base/Parallel.h"
#include "base/Text.h"
#include "cli/Commands.h"
#include "cli/MeshScene.h"
#include "cli/Progress.h"
#include "cli/RunEstimate.h"
#include "cli/RunFolder.h"
#include "cli/RunSummary.h"
#include "cli/TraceFile.h"
#include "contact/Contacts.h"
#include "run/CachedRun.h"
#include "run/MakeSimulation.h"
#include "scene/SceneFile.h"
#include "simulation/Simulation.h"
#include "wedge/ShellQuoted.h"

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
std::string write_mesh_scene(const std::string& mesh, const std::string& out, const std::string& up) {
  std::vector<std::string> notes;
  const fs::path folder = out.empty() ? fs::path("out") / cache_name_of(mesh) : fs::path(out);
  const std::string path = (folder / (cache_name_of(mesh) + ".json")).string();
  if (fs::exists(path)) {
    if (!up.empty())
      throw Error("--up " + up + ": " + mesh +
                  " has a scene already; turn it there (bodies[0].transform.rotate), " + "or remove " + path);
    std::fprintf(stderr, "verve: %s: taking the scene that is there, %s\n", mesh.c_str(), path.c_str());
    return path;
  }
  const std::string scene = scene_of_mesh(mesh, up, notes);
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

/// Explicit steps, and hp far from alpha 1/2, hold up to a step that depends on the body.
void warn_of_large_step(const Simulation& simulation) {
  const double bound = simulation.stable_step();
  if (!std::isfinite(bound)) return;
  const Scene& scene = simulation.scene();
  const double frame = 1.0 / scene.fps, h = frame / std::max(1, scene.substeps);
  std::fprintf(stderr, "verve: %sthe step is %.3g s; the largest stable one is about %.3g s%s\n",
               h > bound ? "warning: " : "", h, bound,
               h > bound ? (": use " + std::to_string(int(std::ceil(frame / bound))) +
                            " substeps or more, or an integrator that any step suits (avf)")
                               .c_str()
                         : "");
}

/// A folder that was asked for must be free of other runs' frames; a folder of our choice becomes another
/// one.
fs::path choose_folder(const RunOptions& options, const SceneFile& file, const std::string& scene) {
  const RunFiles files{scene, file.output.name, file.output.format};
  if (!options.out.empty()) {
    const bool resumes = options.resume && fs::exists(fs::path(options.out) / "checkpoint.verve");
    if (!options.overwrite && !resumes && holds_another_run(options.out, files))
      throw Error(options.out + ": holds the frames of another run; give --overwrite to replace them, or " +
                  "another --out");
    return options.out;
  }
  const fs::path usual = fs::path("out") / file.output.name;
  if (options.overwrite || options.resume) return usual;
  const fs::path folder = free_folder(usual, files);
  if (folder != usual)
    std::fprintf(stderr,
                 "verve: %s holds the frames of another run; these go to %s (--overwrite replaces "
                 "them)\n",
                 usual.string().c_str(), folder.string().c_str());
  return folder;
}

}  // namespace

int run_command(const RunOptions& options) {
  const ThreadLimit limit(options.threads);
  const bool mesh = is_mesh_name(options.scene);
  if (!mesh && !options.up.empty())
    throw Error(
        "--up " + options.up +
        ": for meshes without a scene; in scenes y is up, and bodies are turned by their transform.rotate");
  const std::string scene_path =
      mesh ? write_mesh_scene(options.scene, options.out, options.up) : options.scene;
  std::vector<std::string> settings = options.settings;
  if (!options.quality.empty()) settings.insert(settings.begin(), "quality=\"" + options.quality + "\"");
  if (options.settle) settings.push_back("bodies[].settle=true");
  SceneFile file = read_scene(scene_path, settings);
  warn_of_sizes(file);
  const auto [first, last] = frame_range(options.frames, file.scene);
  const fs::path folder = choose_folder(options, file, as_run(file, last));
  const bool resumes = options.resume && fs::exists(folder / "checkpoint.verve");
  Simulation simulation =
      start(file, scene_path, resumes ? Simulation::Begin::given : Simulation::Begin::prepared);
  file.warnings.insert(file.warnings.end(), simulation.notes().begin(), simulation.notes().end());
  for (const std::string& warning : file.warnings)
    std::fprintf(stderr, "verve: warning: %s\n", warning.c_str());

  warn_of_large_step(simulation);

  CachedRun run(file, simulation, {folder.string(), first, last, options.resume});
  if (options.resume && !run.resumed())
    std::fprintf(stderr, "verve: no checkpoint in %s yet; beginning at the first frame\n",
                 folder.string().c_str());
  if (const std::string estimate = run_estimate(file.scene, last - simulation.frame(), thread_count());
      !estimate.empty())
    std::fprintf(stderr, "verve: %s\n", estimate.c_str());
  Progress progress({options.quiet, options.alf, options.pdg}, simulation.frame(), last);
  RunSummary summary;
  const auto tell_files = [&] {
    for (const std::string& path : run.take_new_files()) progress.file(path);
  };
  // Saves what there is after a stop; the exit code.
  const auto stop = [&](const std::string& why, const char* advice, int code) {
    progress.close();
    try {
      run.save();
      tell_files();
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
  std::optional<TraceFile> trace;
  if (!options.trace.empty()) {
    trace.emplace(options.trace);
    simulation.trace([&](const NewtonRecord& record) { trace->add(simulation.frame() + 1, record); });
  }
  const auto& contacts = simulation.system().contacts;
  std::size_t told = contacts ? contacts->warnings().size() : 0;
  const auto tell_contact = [&](int frame) {
    for (; contacts && told < contacts->warnings().size(); ++told)
      std::fprintf(stderr, "verve: frame %d: warning: %s\n", frame, contacts->warnings()[told].c_str());
  };
  if (!options.quiet) simulation.show([&](double time) { progress.within(time); });
  try {
    run.begin();
    if (!run.resumed()) summary.add(simulation.report());
    tell_files();
    while (!run.done()) {
      const FrameReport report = run.advance();
      progress.frame(report);
      summary.add(report);
      tell_contact(report.frame);
      tell_files();
    }
    run.finish();
    tell_files();
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
  if (options.quiet) return 0;
  for (const std::string& line : summary.lines()) std::printf("%s\n", line.c_str());
  std::printf("frames %d to %d are in %s, with report.csv beside them; look at them with: verve view %s\n",
              first, last, folder.string().c_str(), shell_quoted(folder.string()).c_str());
  return 0;
}

}  // namespace verve
