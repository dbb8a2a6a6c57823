// The parameters of a node: those of a scene that artists turn while they work, and a few of its own.
#pragma once

#include "parameters/Parameters.h"

namespace verve {

/// The rows of the table that only nodes have.
std::vector<Parameter> node_parameters();

/// A line of a node's dialog.
struct DialogEntry {
  std::string parm;  ///< its name in the host
  std::string label;
  std::string tab;  ///< the folder it stands in; empty: above all folders
  const Parameter* parameter = nullptr;
  std::string fallback;  ///< the default as JSON
  /// When it counts: "integrator == hp" or "dampingby != delta"; empty: always.
  std::string when;
  bool hidden = false;

  /// Whether artists see it on the node in "sop" or "dop": what has no effect there is hidden.
  bool shown_in(const std::string& context) const;

  /// What a menu shows for each of its words.
  std::vector<std::string> menu_labels() const;
};

/// In the order of the dialog. Every key of a scene that stands outside lists has its line, but frames,
/// skins and output; what the layout does not name itself comes at the end of its folder, called by its path.
const std::vector<DialogEntry>& dialog_entries();

}  // namespace verve
