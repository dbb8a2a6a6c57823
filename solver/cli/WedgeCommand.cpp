// verve wedge: variants of a scene, here or on a farm.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/Error.h"
#include "base/Parallel.h"
#include "cli/Progress.h"
#include "wedge/ShellQuoted.h"
#include "wedge/Wedge.h"

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

/// Runs wedges, as many at a time as `jobs`; one that fails leaves the others alone.
class WedgePool {
 public:
  WedgePool(const WedgePlan& plan, bool quiet) : plan_(plan), quiet_(quiet), stages_(plan.wedges.size()) {}

  void run(int jobs) {
    std::vector<std::thread> workers;
    for (int i = 0; i < jobs; ++i) workers.emplace_back([this] { work(); });
    std::thread teller;
    if (!quiet_ && on_terminal()) teller = std::thread([this] { tell(); });
    for (std::thread& worker : workers) worker.join();
    over_ = true;
    if (teller.joinable()) teller.join();
  }

 private:
  enum Stage { waiting, running, ended };

  void work() {
    for (std::size_t i; !wedges_stopped() && (i = next_++) < plan_.wedges.size();) {
      stages_[i] = running;
      const int code = run_wedge(plan_, i);
      stages_[i] = ended;
      if (quiet_) continue;
      const std::lock_guard<std::mutex> lock(printing_);
      const WedgeState state = state_of(plan_, plan_.wedges[i]);
      std::printf("%swedge %zu/%zu  %s  %s\n", on_terminal() ? "\r\033[K" : "", i + 1, plan_.wedges.size(),
                  plan_.wedges[i].folder.c_str(),
                  code == 0 ? "done" : (state.state + ": " + state.why).c_str());
      std::fflush(stdout);
    }
  }

  /// Redraws a bar until all have ended.
  void tell() {
    while (!over_) {
      double share = 0.0;
      std::size_t done = 0;
      for (std::size_t i = 0; i < stages_.size(); ++i) {
        if (stages_[i] == ended) ++done, share += 1.0;
        if (stages_[i] != running) continue;
        const WedgeState state = state_of(plan_, plan_.wedges[i]);
        if (state.last_frame > 0) share += std::clamp(double(state.frame) / state.last_frame, 0.0, 1.0);
      }
      share /= double(stages_.size());
      {
        const std::lock_guard<std::mutex> lock(printing_);
        std::printf("\r%s %3.0f%%  %zu of %zu wedges\033[K",
                    progress_bar(share, std::clamp(terminal_columns() - 40, 4, 40)).c_str(), 100.0 * share,
                    done, stages_.size());
        std::fflush(stdout);
      }
      for (int i = 0; i < 5 && !over_; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    std::printf("\r\033[K");
  }

  const WedgePlan& plan_;
  const bool quiet_;
  std::vector<std::atomic<int>> stages_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> over_{false};
  std::mutex printing_;
};

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
  WedgePool(plan, options.quiet).run(jobs);
  const int code = report_wedges(plan);
  if (!wedges_stopped()) return code;
  std::fprintf(stderr, "verve: interrupted; go on with --resume\n");
  return 130;
}

}  // namespace verve
