// Runs the built program as a user would, and looks at what it leaves behind.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "TemporaryFolder.h"

namespace verve::test {

struct Outcome {
  int code = -1;  ///< the exit code; minus the signal's number when one ended it
  std::string out, err;
};

/// A run of the program, its streams in files of `folder`.
class Program {
 public:
  Program(const std::string& folder, std::vector<std::string> words) : folder_(folder) {
    words.insert(words.begin(), VERVE_PROGRAM);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    id_ = ::fork();
    if (id_ != 0) return;
    const int out = ::open((folder_ + "/.stdout").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const int err = ::open((folder_ + "/.stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (out < 0 || err < 0 || ::chdir(folder_.c_str()) != 0) ::_exit(126);
    ::dup2(out, 1), ::dup2(err, 2);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }

  void send(int signal) const { ::kill(id_, signal); }
  /// Changes one of its limits while it runs; 0, or -1.
  int limit(__rlimit_resource resource, const rlimit& value) const {
    return ::prlimit(id_, resource, &value, nullptr);
  }

  /// Waits until a file is there; false when the program ended before.
  bool wait_for(const std::string& file) {
    while (!std::filesystem::exists(file)) {
      if (::waitpid(id_, &status_, WNOHANG) == id_) return ended_ = true, false;
      ::usleep(200);
    }
    return true;
  }

  Outcome wait() {
    if (!ended_) ::waitpid(id_, &status_, 0);
    ended_ = true;
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_), read_bytes(folder_ + "/.stdout"),
            read_bytes(folder_ + "/.stderr")};
  }

 private:
  std::string folder_;
  pid_t id_ = 0;
  int status_ = 0;
  bool ended_ = false;
};

inline Outcome verve_program(const TemporaryFolder& folder, std::vector<std::string> words) {
  return Program(folder.path(), std::move(words)).wait();
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A scene with one body, as text; `more` are further keys of the scene, with a comma in front.
inline std::string scene_of(const std::string& body, const std::string& more = "") {
  return R"({"frames": [1, 3], "bodies": [)" + body + "]" + more + "}";
}

/// The rows of a report.csv by column.
struct Report {
  std::string header;
  std::map<std::string, std::vector<double>> columns;
  explicit Report(const std::string& path) {
    std::istringstream text(read_bytes(path));
    std::getline(text, header);
    std::vector<std::string> names;
    std::istringstream head(header);
    for (std::string name; std::getline(head, name, ',');) names.push_back(name);
    for (std::string line; std::getline(text, line);) {
      std::istringstream row(line);
      std::size_t i = 0;
      for (std::string value; std::getline(row, value, ','); ++i)
        columns[names.at(i)].push_back(std::stod(value));
      EXPECT_EQ(i, names.size()) << line;
    }
  }
};

}  // namespace verve::test
