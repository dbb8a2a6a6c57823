// What a run tells while it goes on.
#pragma once

#include <chrono>
#include <string>

#include "simulation/Simulation.h"

namespace verve {

/// Whether stdout is a terminal that can redraw a line, and how wide that is.
bool on_terminal();
int terminal_columns();
/// So many columns, the given share of them full.
std::string progress_bar(double share, int width);

/// A bar that is redrawn on a terminal, a line a frame elsewhere; and for farms, if asked, the lines that
/// their wrappers look for.
class Progress {
 public:
  struct Settings {
    bool quiet = false;  ///< neither bar nor lines
    bool alf = false;    ///< "ALF_PROGRESS 42%" whenever the share changes
    bool pdg = false;    ///< "PDG_RESULT: ..." for every file of the cache
  };
  /// The run has frames after `from` up to `last` to go.
  Progress(const Settings& settings, int from, int last);
  ~Progress() { close(); }

  void frame(const FrameReport& report);
  /// The simulated time that a long frame has come to; told about once a second.
  void within(double time);
  /// A file of the cache is on the disk.
  void file(const std::string& path) const;
  /// Ends the bar's line, so that messages begin on one of their own.
  void close();

 private:
  void draw_bar(const FrameReport& report) const;
  std::string time_left(int frame) const;

  Settings settings_;
  bool bar_, open_ = false;
  int from_, last_, percent_ = -1;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now(), told_ = begun_;
};

}  // namespace verve
