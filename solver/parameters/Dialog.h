// The dialog of a node, in the language of Houdini's dialog scripts.
#pragma once

#include <string>

namespace verve {

/// What the button Save to Disk does.
const char* save_to_disk_help();

/// The whole dialog: what stands above the folders, the buttons, and a folder a tab. Both
/// contexts, "sop" and "dop", have the same parameters; those without an effect are invisible.
std::string dialog_script(const std::string& context = "sop");

}  // namespace verve
