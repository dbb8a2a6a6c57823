// The dialog of a node, in the language of Houdini's dialog scripts.
#pragma once

#include <string>

namespace verve {

/// The whole dialog: what stands above the folders, a Reset Simulation button, and a folder a tab.
std::string dialog_script();

}  // namespace verve
