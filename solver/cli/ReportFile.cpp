#include "cli/ReportFile.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/Text.h"
#include "io/FileBytes.h"

namespace verve {
namespace {

const char* const header =
    "frame,time,kinetic,elastic,gravity,contact,total,dissipated,work,ledger_error,raw_drift,px,py,pz,lx,ly,"
    "lz,"
    "newton_iterations,linear_iterations,factorizations,residual,inverted,contacts,seconds,halvings,"
    "stagnated,constraint_force,constraint_gap,events,deepest_layer\n";

}  // namespace

ReportFile::ReportFile(const std::string& path, const int* keep_until) : path_(path) {
  std::string kept = header;
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

void ReportFile::add(const FrameReport& r) {
  std::ostringstream row;
  row << r.frame;
  for (double value : {r.time, r.levels.kinetic, r.levels.elastic, r.levels.gravity, r.levels.contact,
                       r.levels.total(), r.ledger.dissipated, r.ledger.work, r.ledger_error(), r.raw_drift(),
                       r.momentum.linear[0], r.momentum.linear[1], r.momentum.linear[2],
                       r.momentum.angular[0], r.momentum.angular[1], r.momentum.angular[2]})
    row << ',' << shortest(value);
  row << ',' << r.steps.newton_iterations << ',' << r.steps.linear_iterations << ',' << r.steps.factorizations
      << ',' << shortest(r.steps.residual) << ',' << r.inverted << ',' << r.contacts << ','
      << shortest(r.seconds) << ',' << r.halvings << ',' << r.steps.stagnated << ','
      << shortest(r.constraint_force) << ',' << shortest(r.constraint_gap) << ',' << r.steps.events << ','
      << r.steps.deepest_layer << '\n';
  file_ << row.str() << std::flush;
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
