#include "cli/Progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace verve {
namespace {

std::string text_of(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

bool on_terminal() {
  return ::isatty(STDOUT_FILENO) && text_of("TERM") != "dumb";
}

int terminal_columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

namespace {

bool shows_blocks() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const std::string value = text_of(name); !value.empty())
      return value.find("UTF-8") != std::string::npos || value.find("utf8") != std::string::npos;
  return false;
}

}  // namespace

std::string progress_bar(double share, int width) {
  const bool blocks = shows_blocks();
  const int full = int(share * width);
  std::string text;
  for (int i = 0; i < width; ++i) text += i < full ? (blocks ? "█" : "#") : (blocks ? "░" : "-");
  return text;
}

namespace {

template <class... Args>
std::string print(const char* format, Args... args) {
  char text[160];
  std::snprintf(text, sizeof text, format, args...);
  return text;
}

/// What the frame took: events of the asynchronous integrator, iterations of the others.
std::string work_of(const FrameReport& r, const char* iterations) {
  return r.steps.events ? print("  %.3g events", double(r.steps.events))
                        : print("  %d %s", r.steps.newton_iterations, iterations);
}

/// What should not have happened.
std::string warning_of(const FrameReport& r) {
  std::string text;
  if (r.passed) text += print("  %d points WENT THROUGH a collider", r.passed);
  if (r.grown > 0.0) text += print("  energy GREW by %.3g J", r.grown);
  return text;
}

}  // namespace

Progress::Progress(const Settings& settings, int from, int last)
    : settings_(settings), bar_(!settings.quiet && on_terminal()), from_(from), last_(last) {}

std::string Progress::time_left(int frame) const {
  const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  const auto left = long(std::ceil(spent / std::max(1, frame - from_) * (last_ - frame)));
  return left >= 3600 ? print("%ld:%02ld:%02ld", left / 3600, left / 60 % 60, left % 60)
                      : print("%ld:%02ld", left / 60, left % 60);
}

void Progress::draw_bar(const FrameReport& r) const {
  const double share = last_ > from_ ? double(r.frame - from_) / (last_ - from_) : 1.0;
  // The most needed first: what has no room at the end is left out.
  std::string line =
      print("%3.0f%% frame %d/%d  %s left", 100 * share, r.frame, last_, time_left(r.frame).c_str());
  const int wide = terminal_columns() - 1;
  const int room = std::clamp(wide - int(line.size()) - 45, 8, 40);
  for (const std::string& part :
       {warning_of(r), print("  E %.4g J", r.levels.total()), work_of(r, "it"),
        r.substeps > 1 || r.bound ? print("  %d steps%s", r.substeps, r.bound ? " (too few)" : "")
                                  : std::string(),
        print("  %d contacts", r.contacts), print("  ledger %+.1e", r.ledger_error()),
        r.halvings ? print("  %d halved", r.halvings) : std::string(), print("  %.0f ms", 1e3 * r.seconds)})
    if (int(line.size() + part.size()) + room + 1 <= wide) line += part;
  if (int(line.size()) > wide) line.resize(std::size_t(std::max(wide, 0)));
  const bool fits = int(line.size()) + room + 1 <= wide;
  std::printf("\r%s%s\033[K", fits ? (progress_bar(share, room) + " ").c_str() : "", line.c_str());
}

void Progress::within(double time) {
  const auto now = std::chrono::steady_clock::now();
  // A log has no use for a line a second.
  if (now - told_ < std::chrono::seconds(bar_ ? 1 : 60)) return;
  told_ = now;
  std::printf(bar_ ? "\r  at %.6g s\033[K" : "  still at work, at time %.6g s\n", time);
  open_ = bar_;
  std::fflush(stdout);
}

void Progress::frame(const FrameReport& r) {
  told_ = std::chrono::steady_clock::now();
  if (bar_) {
    draw_bar(r);
    open_ = true;
  } else if (!settings_.quiet) {
    std::printf("frame %d/%d  time %.3f s  energy %.6g J  ledger %+.1e%s", r.frame, last_, r.time,
                r.levels.total(), r.ledger_error(), work_of(r, "iterations").c_str());
    if (r.substeps > 1 || r.bound) std::printf("  %d steps%s", r.substeps, r.bound ? " (too few)" : "");
    if (r.contacts) std::printf("  %d contacts", r.contacts);
    if (r.inverted) std::printf("  %d inverted", r.inverted);
    if (r.halvings) std::printf("  %d halved steps", r.halvings);
    std::printf("%s", warning_of(r).c_str());
    std::printf("  %.0f ms  %s left\n", 1e3 * r.seconds, time_left(r.frame).c_str());
  }
  const int percent = last_ > from_ ? int(100.0 * (r.frame - from_) / (last_ - from_)) : 100;
  if (settings_.alf && percent != percent_) std::printf("%sALF_PROGRESS %d%%\n", open_ ? "\n" : "", percent);
  percent_ = percent;
  std::fflush(stdout);
}

void Progress::file(const std::string& path) const {
  if (!settings_.pdg) return;
  // As Houdini's pdgcmd prints it: work item; index in a batch; file; tag; hash. Lines and fields end at
  // these.
  const std::string name = std::filesystem::absolute(path).lexically_normal().string();
  if (name.find_first_of(";\r\n") != std::string::npos) {
    std::fprintf(stderr, "verve: warning: PDG is not told of %s: its name has a ; or a line's end in it\n",
                 name.c_str());
    return;
  }
  const std::string item = text_of("PDG_ITEM_ID").empty() ? text_of("PDG_ITEM_NAME") : text_of("PDG_ITEM_ID");
  const std::string index = text_of("PDG_ITEM_BATCH_INDEX").empty() ? "-1" : text_of("PDG_ITEM_BATCH_INDEX");
  std::printf("PDG_RESULT: %s;%s;%s;file/geo;0\n", item.c_str(), index.c_str(), name.c_str());
  std::fflush(stdout);
}

void Progress::close() {
  if (open_) std::printf("\n");
  std::fflush(stdout);
  open_ = false;
}

}  // namespace verve
