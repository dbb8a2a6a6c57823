// Wedges as one Slurm array job.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "wedge/ShellQuoted.h"
#include "wedge/Wedge.h"

extern char** environ;

namespace verve {
namespace {

namespace fs = std::filesystem;

/// The task of every wedge. Names stand in it quoted, and none of them in an #SBATCH line.
std::string script_of(const WedgePlan& plan) {
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  return "#!/bin/sh\n"
         "# One wedge. Requeued, it goes on from its last checkpoint.\n"
         "exec >> " +
         shell_quoted((fs::path(plan.folder) / "slurm.log").string()) +
         " 2>&1\n"
         "exec " +
         shell_quoted(program) + " wedge --task \"$SLURM_ARRAY_TASK_ID\" --status " +
         shell_quoted(plan.folder) + "\n";
}

/// Runs a program without a shell; what it printed.
std::string output_of(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int ends[2];
  if (::pipe(ends) != 0) throw Error("no pipe could be made for " + words[0]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  pid_t id = -1;
  const int failed = posix_spawnp(&id, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t got; !failed && (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, std::size_t(got));
  ::close(ends[0]);
  if (failed)
    throw Error(words[0] + " cannot be started: " + std::strerror(failed) + "; is Slurm installed here?");
  int status = 0;
  ::waitpid(id, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(words[0] + " refused the wedges; what it said stands above");
  return text;
}

}  // namespace

std::string submit_wedges(const WedgePlan& plan, const std::vector<std::string>& sbatch_options) {
  const std::string script = (fs::path(plan.folder) / "wedges.sh").string();
  write_bytes(script, script_of(plan));
  std::vector<std::string> words = {"sbatch",
                                    "--parsable",
                                    "--job-name=verve-wedges",
                                    "--array=1-" + std::to_string(plan.wedges.size()),
                                    "--cpus-per-task=" + std::to_string(plan.threads),
                                    "--requeue",
                                    "--output=/dev/null",
                                    "--chdir=/"};
  words.insert(words.end(), sbatch_options.begin(), sbatch_options.end());
  words.push_back(script);
  std::string job = output_of(words);
  return job.substr(0, job.find_first_of(";\n"));
}

}  // namespace verve
