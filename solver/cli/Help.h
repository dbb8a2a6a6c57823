// verve help and verve completion.
#pragma once

#include <string>
#include <vector>

#include "cli/CommandLine.h"
#include "parameters/Parameters.h"

namespace verve {

/// Explains a command, a topic, or the keys of scenes that begin with `topic`; lists the topics when it is
/// empty. An Error with the nearest name for anything else.
int help_command(const std::string& topic, const std::vector<CommandWords>& commands);

/// A key of scenes with its default, unit and meaning.
void print_parameter(const Parameter& parameter);

/// The names that help_command explains beside the commands and keys.
std::vector<std::string> help_topics();

/// A script for bash, zsh or fish.
int completion_command(const std::string& shell, const std::vector<CommandWords>& commands);

}  // namespace verve
