// The commands of the `verve` program. Each returns the exit code; Errors leave with 2, failed simulations
// with 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wedge/Wedge.h"

namespace verve {

struct RunOptions {
  std::string scene, out, frames;
  std::string up;  ///< of a mesh without a scene: the axis that points upwards, y or z; empty: found out
  std::vector<std::string> settings;
  std::string quality;  ///< empty: the scene's
  int threads = 0;
  std::string trace;  ///< file for a row an event of Newton's method; empty: none
  bool resume = false, quiet = false, alf = false, pdg = false;
  bool settle = false;       ///< every body begins at rest
  bool overwrite = false;    ///< take the place of another run's frames
  bool with_parent = false;  ///< stop as soon as the process that started this one is gone
};
int run_command(const RunOptions& options);

int info_command(const std::string& file);
/// `form` is json, python, markdown, dialog, sop-help or dop-help; empty: to be read.
int params_command(const std::string& form);
int convert_command(const std::string& in, const std::string& out);

/// A picture of some frames side by side if `png` is given, else a page of all.
struct ViewOptions {
  std::vector<std::string> runs;
  std::string png, out;
  std::vector<int> frames;
  int width = 960, height = 540, every = 1;
  bool close = false;  ///< the picture frames its own frames, not the run's
};
int view_command(const ViewOptions& options);

int wedge_command(const WedgeOptions& options);

struct MeshOptions {
  std::string surface, out;
  double size = 0.0;
  int coarsening = 0;
};
int mesh_command(const MeshOptions& options);

}  // namespace verve
