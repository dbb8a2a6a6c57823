// The dialog of a node, in the language of Houdini's dialog scripts.
#pragma once

#include <string>

namespace verve {

/// The whole dialog: what stands above the folders, a Reset Simulation button, and a folder a tab. Both
/// contexts, "sop" and "dop", have the same parameters; those without an effect are invisible.
std::string dialog_script(const std::string& context = "sop");

}  // namespace verve
