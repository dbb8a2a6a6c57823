// The commands of the `verve` program. Each returns the exit code; Errors leave with 2, failed simulations
// with 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace verve {

struct RunOptions {
  std::string scene, out, frames;
  std::vector<std::string> settings;
  int threads = 0;
  bool resume = false, quiet = false;
};
int run_command(const RunOptions& options);

int info_command(const std::string& file);
/// `form` is json, markdown, dialog, sop-help or dop-help; empty: to be read.
int params_command(const std::string& form);
int convert_command(const std::string& in, const std::string& out);

struct ViewOptions {
  std::string run, png;
  std::optional<int> frame;
  int width = 960, height = 540;
};
int view_command(const ViewOptions& options);

struct MeshOptions {
  std::string surface, out;
  double size = 0.0;
  int coarsening = 0;
};
int mesh_command(const MeshOptions& options);

}  // namespace verve
