// Writes the help cards of the nodes into a folder.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "parameters/Documents.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("verve_help FOLDER\n", stderr), 2;
  const std::filesystem::path folder = argv[1];
  const auto write = [&](const char* context, const char* file) {
    const auto path = folder / "nodes" / context / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << verve::help_card(context);
  };
  write("sop", "verve--solver.txt");
  write("dop", "verve_solver.txt");
  return 0;
}
