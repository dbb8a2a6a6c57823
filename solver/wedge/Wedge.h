// Wedges: variants of one scene, each in a folder of its own below one folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parameters/SceneCheck.h"

namespace verve {

/// As `verve wedge` is told.
struct WedgeOptions {
  std::string scene, out, status;
  std::vector<std::string> vary, settings, sbatch;
  int threads = 0, jobs = 0;
  std::optional<int> task;  ///< run one wedge of the folder `status`: what a farm's task does
  bool resume = false, slurm = false, quiet = false;
};

/// One variant. Its folder holds wedge.json (its scene), what `verve run` writes there, log.txt and
/// state.json.
struct Wedge {
  std::string folder;                 ///< a plain name below that of the plan
  std::vector<std::string> settings;  ///< "key.path=value", one for each --vary
  std::string label() const;
};

/// What was planned, as kept in FOLDER/wedges.json.
struct WedgePlan {
  std::string folder;
  std::vector<std::string> keys;  ///< those that vary
  std::vector<Wedge> wedges;
  int threads = 1;  ///< of each wedge
  std::string job;  ///< Slurm's number of the array job; empty without

  std::string path(const Wedge& wedge, const char* file = "") const;
};

/// All combinations of the values, the last key changing fastest, with the scenes that they give: written to
/// the folder unless something is wrong with any of them. With options.resume the plan that is there must be
/// the same.
WedgePlan make_plan(const WedgeOptions& options);
WedgePlan read_plan(const std::string& folder);
void write_plan(const WedgePlan& plan);

/// How far a wedge is: state.json, and the last row of its report.
struct WedgeState {
  std::string state =
      "waiting";    ///< waiting, submitted, running, done, failed, interrupted, stopped (killed)
  std::string why;  ///< of those that failed
  int exit = 0, attempts = 0;
  int frame = 0, last_frame = 0;  ///< reached, wanted
  double time = 0, total = 0, dissipated = 0, ledger_error = 0, seconds = 0;
};
WedgeState state_of(const WedgePlan& plan, const Wedge& wedge);

/// Runs a wedge in a process of its own, from its last checkpoint if there is one, and notes its state; the
/// exit code. A stop that is asked of this process is passed on.
int run_wedge(const WedgePlan& plan, std::size_t index);
/// Asks wedges that run now to stop, and those to come not to begin.
void stop_wedges(int);
bool wedges_stopped();

/// Submits the wedges as one Slurm array job; its number.
std::string submit_wedges(const WedgePlan& plan, const std::vector<std::string>& sbatch_options);

/// Prints a table, and writes wedges.csv and the page that compares the wedges; 1 if one failed, else 0.
int report_wedges(const WedgePlan& plan);

}  // namespace verve
