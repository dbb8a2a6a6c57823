// verve wedge: variants of a scene, here or on a farm.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/Error.h"
#include "base/Parallel.h"
#include "cli/ShellQuoted.h"
#include "cli/Wedge.h"

namespace verve {
namespace {

/// While it lives, Ctrl-C and a farm's polite kill reach the wedges.
class StopGuard {
 public:
  StopGuard() {
    for (int i = 0; i < 2; ++i) old_[i] = std::signal(signals[i], stop_wedges);
  }
  ~StopGuard() {
    for (int i = 0; i < 2; ++i) std::signal(signals[i], old_[i]);
  }

 private:
  static constexpr int signals[2] = {SIGINT, SIGTERM};
  void (*old_[2])(int);
};

/// As many at a time as `jobs`; a wedge that fails leaves the others alone.
void run_all(const WedgePlan& plan, int jobs, bool quiet) {
  std::atomic<std::size_t> next{0};
  std::mutex printing;
  const auto work = [&] {
    for (std::size_t i; !wedges_stopped() && (i = next++) < plan.wedges.size();) {
      const int code = run_wedge(plan, i);
      if (quiet) continue;
      const std::lock_guard<std::mutex> lock(printing);
      const WedgeState state = state_of(plan, plan.wedges[i]);
      std::printf("wedge %zu/%zu  %s  %s\n", i + 1, plan.wedges.size(), plan.wedges[i].folder.c_str(),
                  code == 0 ? "done" : (state.state + ": " + state.why).c_str());
      std::fflush(stdout);
    }
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < jobs; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
}

}  // namespace

int wedge_command(const WedgeOptions& options) {
  if (options.task) {
    const WedgePlan plan = read_plan(options.status);
    if (*options.task < 1 || std::size_t(*options.task) > plan.wedges.size())
      throw Error("--task " + std::to_string(*options.task) + ": there are " +
                  std::to_string(plan.wedges.size()) + " wedges in " + options.status);
    const StopGuard guard;
    return run_wedge(plan, std::size_t(*options.task) - 1);
  }
  if (!options.status.empty()) return report_wedges(read_plan(options.status));
  if (options.scene.empty()) throw Error("name a scene to vary, or the folder of wedges with --status");

  WedgePlan plan = make_plan(options);
  if (options.slurm) {
    plan.threads = std::max(1, options.threads);
    write_plan(plan);
    plan.job = submit_wedges(plan, options.sbatch);
    write_plan(plan);
    std::printf("%zu wedges are Slurm's array job %s; how they fare: verve wedge --status %s\n",
                plan.wedges.size(), plan.job.c_str(), shell_quoted(options.out).c_str());
    return 0;
  }
  const int cores = options.threads > 0 ? options.threads : thread_count();
  const int jobs = std::min<int>(int(plan.wedges.size()), options.jobs > 0 ? options.jobs : cores);
  plan.threads = std::max(1, cores / jobs);
  write_plan(plan);
  const StopGuard guard;
  run_all(plan, jobs, options.quiet);
  const int code = report_wedges(plan);
  if (!wedges_stopped()) return code;
  std::fprintf(stderr, "verve: interrupted; go on with --resume\n");
  return 130;
}

}  // namespace verve
