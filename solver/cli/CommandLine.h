// The words that the program understands.
#pragma once

#include <string>
#include <vector>

#include "cli/Commands.h"

namespace verve {

/// A command and its options, for those who complete or explain them.
struct CommandWords {
  std::string name, about, help;
  std::vector<std::string> options;  ///< with their dashes
};

/// What was asked for. Wrong words print one line with the nearest right ones.
struct CommandLine {
  std::string command;  ///< empty when the answer was given already: --help, --version, wrong words
  int exit = 0;         ///< the exit code if so
  RunOptions run;
  ViewOptions view;
  WedgeOptions wedge;
  MeshOptions mesh;
  std::string file, in, out, topic, shell;
  std::string form;  ///< of verve params: json, markdown, dialog, sop-help or dop-help; empty: to be read
  std::vector<CommandWords> commands;

  CommandLine(int argc, char** argv);
};

}  // namespace verve
