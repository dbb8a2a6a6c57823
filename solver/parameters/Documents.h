// The documents that are made from the parameter table.
#pragma once

#include <string>

namespace verve {

/// The node's parameters as a table in Markdown: dialog name, scene key, default, unit, attribute, meaning.
std::string markdown_table();

/// The lines of the README between which markdown_table() stands.
extern const char* const readme_begin;
extern const char* const readme_end;

/// The help card of a node in Houdini's wiki markup. `context` is "sop" or "dop".
std::string help_card(const std::string& context);

}  // namespace verve
