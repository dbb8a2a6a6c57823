// The page that shows cached runs in a browser: one file, which needs nothing else.
#pragma once

#include <string>
#include <vector>

#include "viewer/PageRun.h"

namespace verve {

/// The page without runs, as built from cli/page; empty in programs that were built without node and npm.
extern const char page_template[];

/// Throws an Error that says what to do when this program has no page in it.
void require_page();

/// Writes the page of these runs.
void write_page(const std::string& path, const std::string& title, const std::vector<PageRun>& runs);

}  // namespace verve
