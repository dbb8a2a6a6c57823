// The one table of everything a scene or a node may say. From it come the scene file's checks, `verve
// params`,
// --set, the dialog, the help cards and the README's table.
#pragma once

#include <string>
#include <vector>

namespace verve {

enum class ParameterKind {
  number,
  integer,
  toggle,
  text,
  menu,
  vector,   ///< `size` numbers
  numbers,  ///< any count of numbers
  scale,    ///< a number or three
  object,   ///< entries whose paths begin with this one
  list,     ///< of such objects; paths go on with "[]"
  other,    ///< has a form of its own, which its reader checks
};

/// An entry of the table.
struct Parameter {
  /// In a scene file, such as "integrator.alpha" or "bodies[].mass"; "node." begins those that only nodes
  /// have.
  std::string path;
  std::string label;  ///< in a dialog
  ParameterKind kind = ParameterKind::number;
  std::string fallback;  ///< the default as JSON; empty: none, the key may be left out
  std::string unit;
  std::string help;        ///< a sentence
  double low, high;        ///< range of numbers, both ends allowed
  bool above_low = false;  ///< low itself is not allowed
  int size = 0;
  std::vector<std::string> menu;
  std::string attribute;  ///< a point attribute of this name multiplies or overrides it

  /// The part before the last dot, "" at the top.
  std::string folder() const;
  /// The last word of the path, without "[]".
  std::string name() const;
  /// A scene file has no such key: it belongs to nodes only.
  bool of_node() const { return path.compare(0, 5, "node.") == 0; }
};

const std::vector<Parameter>& parameters();

/// The entry at a path, or null.
const Parameter* find_parameter(const std::string& path);

/// The keys that may stand in the object at `path` ("" for the whole scene).
std::vector<std::string> keys_under(const std::string& path);

}  // namespace verve
