#include "run/ReportFile.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/FileBytes.h"
#include "base/Text.h"

namespace verve {
namespace {

std::string header() {
  std::string line;
  for (const auto& [name, value] : report_values({})) line += (line.empty() ? "" : ",") + name;
  return line + "\n";
}

}  // namespace

ReportFile::ReportFile(const std::string& path, const int* keep_until) : path_(path) {
  std::string kept = header();
  if (keep_until && std::filesystem::exists(path)) {
    std::istringstream old(read_bytes(path));
    std::string line;
    std::getline(old, line);
    while (std::getline(old, line))
      if (!line.empty() && std::atoi(line.c_str()) <= *keep_until && !old.eof()) kept += line + "\n";
  }
  write_bytes(path, kept);
  file_.open(path, std::ios::app);
}

std::vector<std::pair<std::string, double>> report_values(const FrameReport& r) {
  const Vec3 &p = r.momentum.linear, &l = r.momentum.angular;
  return {{"frame", r.frame},
          {"time", r.time},
          {"kinetic", r.levels.kinetic},
          {"elastic", r.levels.elastic},
          {"gravity", r.levels.gravity},
          {"contact", r.levels.contact},
          {"total", r.levels.total()},
          {"dissipated", r.ledger.dissipated},
          {"work", r.ledger.work},
          {"ledger_error", r.ledger_error()},
          {"raw_drift", r.raw_drift()},
          {"px", p[0]},
          {"py", p[1]},
          {"pz", p[2]},
          {"lx", l[0]},
          {"ly", l[1]},
          {"lz", l[2]},
          {"newton_iterations", r.steps.newton_iterations},
          {"linear_iterations", r.steps.linear_iterations},
          {"factorizations", r.steps.factorizations},
          {"residual", r.steps.residual},
          {"inverted", r.inverted},
          {"contacts", r.contacts},
          {"seconds", r.seconds},
          {"halvings", r.halvings},
          {"stagnated", r.steps.stagnated},
          {"constraint_force", r.constraint_force},
          {"constraint_gap", r.constraint_gap},
          {"events", double(r.steps.events)},
          {"deepest_layer", r.steps.deepest_layer},
          {"substeps", r.substeps},
          {"penetration", r.penetration},
          {"booked", r.ledger.booked},
          {"bound", r.bound},
          {"passed", r.passed},
          {"grown", r.grown}};
}

void ReportFile::add(const FrameReport& r) {
  std::string row;
  for (const auto& [name, value] : report_values(r)) row += (row.empty() ? "" : ",") + shortest(value);
  file_ << row << '\n' << std::flush;
  if (!file_) throw SimulationError(path_ + ": cannot write (is the disk full?)");
}

std::vector<std::pair<std::string, std::vector<double>>> read_report(const std::string& path) {
  std::istringstream text(read_bytes(path));
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  std::string line, cell;
  std::getline(text, line);
  for (std::istringstream names(line); std::getline(names, cell, ',');) columns.push_back({cell, {}});
  while (std::getline(text, line) && !text.eof()) {
    std::vector<double> row;
    for (std::istringstream cells(line); std::getline(cells, cell, ',');)
      row.push_back(std::strtod(cell.c_str(), nullptr));
    if (row.size() != columns.size()) continue;
    for (std::size_t i = 0; i < row.size(); ++i) columns[i].second.push_back(row[i]);
  }
  return columns;
}

}  // namespace verve
