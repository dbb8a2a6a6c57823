// What became of the wedges.
#include <cstdio>
#include <filesystem>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "base/Text.h"
#include "viewer/Page.h"
#include "wedge/Wedge.h"

namespace verve {
namespace {

namespace fs = std::filesystem;

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// One line, whatever a name holds.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
  return text;
}

void write_table(const WedgePlan& plan, const std::vector<WedgeState>& states) {
  std::string table = "wedge,folder";
  for (const std::string& key : plan.keys) table += "," + csv_cell(key);
  table += ",state,attempts,frame,time,total,dissipated,ledger_error,seconds,why\n";
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Wedge& wedge = plan.wedges[i];
    const WedgeState& s = states[i];
    table += std::to_string(i + 1) + "," + wedge.folder;
    for (const std::string& setting : wedge.settings)
      table += "," + csv_cell(setting.substr(setting.find('=') + 1));
    table += "," + s.state + "," + std::to_string(s.attempts) + "," + std::to_string(s.frame);
    for (double value : {s.time, s.total, s.dissipated, s.ledger_error, s.seconds})
      table += "," + shortest(value);
    table += "," + csv_cell(s.why) + "\n";
  }
  write_bytes((fs::path(plan.folder) / "wedges.csv").string(), table);
}

/// All that have frames, side by side; those that failed up to there.
std::string write_comparison(const WedgePlan& plan, const std::vector<WedgeState>& states) {
  std::vector<PageRun> runs;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Wedge& wedge = plan.wedges[i];
    if (states[i].frame == 0 || !fs::exists(plan.path(wedge, "scene.json"))) continue;
    const std::string label = wedge.label() + (states[i].state == "failed" ? "  (failed)" : "");
    runs.push_back(pack_run(plan.path(wedge), label, 1));
  }
  if (runs.empty()) return {};
  const std::string path = (fs::path(plan.folder) / "view.html").string();
  const fs::path folder(plan.folder);
  write_page(path, (folder.has_filename() ? folder : folder.parent_path()).filename().string(), runs);
  return path;
}

}  // namespace

int report_wedges(const WedgePlan& plan) {
  std::vector<WedgeState> states;
  for (const Wedge& wedge : plan.wedges) states.push_back(state_of(plan, wedge));
  std::size_t widest = 6;
  for (const Wedge& wedge : plan.wedges) widest = std::max(widest, one_line(wedge.label()).size());
  widest = std::min<std::size_t>(widest, 60);
  std::printf("%5s  %-*s  %-11s  %9s  %12s  %9s  %8s\n", "wedge", int(widest), "values", "state", "frame",
              "energy J", "ledger", "seconds");
  bool failed = false, open = false;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const WedgeState& s = states[i];
    const std::string reached = std::to_string(s.frame) + "/" + std::to_string(s.last_frame);
    std::printf("%5zu  %-*s  %-11s  %9s  %12.6g  %+9.1e  %8.2f\n", i + 1, int(widest),
                one_line(plan.wedges[i].label()).c_str(), s.state.c_str(), reached.c_str(), s.total,
                s.ledger_error, s.seconds);
    if (!s.why.empty()) std::printf("       %s\n", one_line(s.why).c_str());
    failed = failed || s.state == "failed";
    open = open || s.state == "waiting" || s.state == "submitted" || s.state == "running";
  }
  write_table(plan, states);
  if (!open && *page_template) {
    const std::string page = write_comparison(plan, states);
    if (!page.empty()) std::printf("compare them in a browser: %s\n", one_line(page).c_str());
  }
  std::fflush(stdout);
  return failed ? 1 : 0;
}

}  // namespace verve
