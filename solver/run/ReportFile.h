// report.csv: one row a frame.
#pragma once

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "simulation/Simulation.h"

namespace verve {

/// The columns of report.csv with their values, in their order.
std::vector<std::pair<std::string, double>> report_values(const FrameReport& report);

class ReportFile {
 public:
  /// Begins anew, or keeps the rows up to `keep_until` of an earlier run when that is given.
  ReportFile(const std::string& path, const int* keep_until);
  void add(const FrameReport& report);

 private:
  std::string path_;
  std::ofstream file_;
};

/// The columns of a report.csv by name, in their order. Rows that were cut off are left out.
std::vector<std::pair<std::string, std::vector<double>>> read_report(const std::string& path);

}  // namespace verve
