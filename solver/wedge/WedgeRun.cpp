// One wedge in a process of its own.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sstream>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "run/ReportFile.h"
#include "wedge/Wedge.h"

extern char** environ;

namespace verve {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostAtOnce = 4096;
std::array<std::atomic<pid_t>, kMostAtOnce> running{};  // fixed, as a signal handler walks it
std::atomic<bool> stopped{false};

std::string host_name() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// The last thing that the program had to say.
std::string last_message(const std::string& log) {
  std::istringstream text(fs::exists(log) ? read_bytes(log) : "");
  std::string message;
  for (std::string line; std::getline(text, line);)
    if (line.rfind("verve: ", 0) == 0 && line.rfind("verve: warning", 0) != 0) message = line.substr(7);
  return message;
}

pid_t spawn(const std::vector<std::string>& words, const std::string& log) {
  std::vector<std::string> copies = words;
  std::vector<char*> argv;
  for (std::string& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t id = -1;
  const int failed = posix_spawn(&id, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) file_error(log, "cannot start a run that writes there", failed);
  return id;
}

/// The exit code; 128 and the signal's number when one ended it.
int wait_for(pid_t id) {
  int status = 0;
  while (::waitpid(id, &status, 0) < 0)
    if (errno != EINTR) return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Json read_state(const std::string& path) {
  if (!fs::is_regular_file(path)) return Json::object();
  Json json = Json::parse(read_bytes(path), nullptr, false);
  return json.is_object() ? json : Json::object();
}

void write_state(const std::string& path, const Json& json) {
  write_bytes(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace

void stop_wedges(int) {
  stopped = true;
  for (auto& id : running)
    if (const pid_t one = id; one > 0) ::kill(one, SIGTERM);
}

bool wedges_stopped() {
  return stopped;
}

int run_wedge(const WedgePlan& plan, std::size_t index) {
  const Wedge& wedge = plan.wedges[index];
  const std::string state_path = plan.path(wedge, "state.json"), log = plan.path(wedge, "log.txt");
  Json state = {{"state", "running"},
                {"attempts", read_state(state_path).value("attempts", 0) + 1},
                {"host", host_name()},
                {"process", int(::getpid())},
                {"job", environment("SLURM_ARRAY_JOB_ID")}};
  write_state(state_path, state);
  std::vector<std::string> words = {"verve",          "run",        plan.path(wedge, "wedge.json"), "--out",
                                    plan.path(wedge), "--threads",  std::to_string(plan.threads),   "--quiet",
                                    "--with-parent",  "--overwrite"};
  if (fs::exists(plan.path(wedge, "checkpoint.verve"))) words.push_back("--resume");
  const pid_t id = spawn(words, log);
  running[index % kMostAtOnce] = id;
  if (stopped) ::kill(id, SIGTERM);  // asked for in between
  const int code = wait_for(id);
  running[index % kMostAtOnce] = 0;
  state["exit"] = code;
  state["state"] = code == 0 ? "done" : code == 130 ? "interrupted" : "failed";
  if (code != 0) {
    const std::string message = last_message(log);
    state["why"] = code > 130 ? "ended by signal " + std::to_string(code - 128) : message;
  }
  write_state(state_path, state);
  return code;
}

WedgeState state_of(const WedgePlan& plan, const Wedge& wedge) {
  WedgeState result;
  const Json json = read_state(plan.path(wedge, "state.json"));
  if (json.empty() && !plan.job.empty()) result.state = "submitted";
  if (!json.empty()) {
    result.state = json.value("state", "waiting");
    result.why = json.value("why", "");
    result.exit = json.value("exit", 0);
    result.attempts = json.value("attempts", 0);
    // Nobody is left to say how it ended.
    if (result.state == "running" && json.value("host", "") == host_name() &&
        ::kill(json.value("process", 0), 0) != 0 && errno == ESRCH)
      result.state = "stopped";
  }
  const std::string scene_path = plan.path(wedge, "wedge.json");
  Json scene = parse_json(read_bytes(scene_path), scene_path);
  check_scene(scene, scene_path);
  result.last_frame = scene["frames"][1];
  if (const std::string report = plan.path(wedge, "report.csv"); fs::exists(report))
    for (const auto& [name, values] : read_report(report)) {
      if (values.empty()) continue;
      if (name == "frame") result.frame = int(values.back());
      if (name == "time") result.time = values.back();
      if (name == "total") result.total = values.back();
      if (name == "dissipated") result.dissipated = values.back();
      if (name == "ledger_error") result.ledger_error = values.back();
      if (name == "seconds")
        for (double seconds : values) result.seconds += seconds;
    }
  return result;
}

}  // namespace verve
