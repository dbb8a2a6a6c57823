// The documents that are made from the parameter table.
#pragma once

#include <string>

namespace verve {

/// The node's parameters as a table in Markdown: dialog name, scene key, default, unit, attribute, meaning.
/// After it the table of attributes.
std::string markdown_table();

/// The lines of the README between which markdown_table() stands.
extern const char* const readme_begin;
extern const char* const readme_end;

/// The whole table as JSON: a list of objects with path, label, kind, default, range, unit and help.
std::string json_table();

/// What a scene may say as typed dictionaries, for the stubs of the Python module.
std::string python_stubs();

/// The help card of a node in Houdini's wiki markup. `context` is "sop" or "dop".
std::string help_card(const std::string& context);

}  // namespace verve
