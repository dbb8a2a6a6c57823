// The one table of attributes: what the points and primitives of a geometry may say, and what is written.
#pragma once

#include <string>
#include <vector>

namespace verve {

/// Which door an attribute comes in by. Some mean another thing at another door.
enum class AttributeDoor {
  body,        ///< what is simulated, in scene files and nodes alike
  collider,    ///< what it collides with
  constraint,  ///< lines and points of a node's second input
  dynamics,    ///< objects of a DOP network
  written,     ///< what leaves the solver
};

enum class AttributeForm {
  factor,       ///< a number of at least 0 that multiplies a parameter; where it is missing: 1
  amount,       ///< a number of at least `low`
  flag,         ///< 0 or not
  direction,    ///< three numbers that turn with the space they are in
  place,        ///< three numbers, a point of space
  shape,        ///< three numbers, a point of the body at rest
  coordinates,  ///< two numbers, or more of which two are taken
  words,        ///< text, or a number that is taken as one
  number,       ///< any number
};

struct AttributeEntry {
  std::string name;
  AttributeDoor door = AttributeDoor::body;
  AttributeForm form = AttributeForm::number;
  /// Where it stands. Where a point attribute may also stand on primitives (a point takes the mean) and on
  /// the detail (all points take it), it stands there in words of "point".
  std::string owner = "point";
  std::string unit;
  std::string help;        ///< a sentence or two
  bool above_low = false;  ///< 0 itself is not allowed

  /// How many numbers it has.
  int size() const {
    if (form == AttributeForm::coordinates) return 2;
    const bool triple = form == AttributeForm::direction || form == AttributeForm::place;
    return triple || form == AttributeForm::shape ? 3 : 1;
  }
  bool is_text() const { return form == AttributeForm::words; }
};

const std::vector<AttributeEntry>& attributes();

/// The entry at a door, or null.
const AttributeEntry* find_attribute(AttributeDoor door, const std::string& name);

/// The names at a door, for a sentence: "a, b and c".
std::string attribute_names(AttributeDoor door);

/// The table in Markdown, and in the wiki markup of Houdini's help cards.
std::string attribute_markdown();
std::string attribute_help();

}  // namespace verve
