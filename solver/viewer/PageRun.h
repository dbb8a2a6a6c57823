// A cached run, packed for the page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parameters/SceneCheck.h"

namespace verve {

/// `about` says what there is (see page/data.js, which reads it): frames, quantities, report, colliders.
/// `blocks` are its numbers: first what joins the points, then positions and quantities of some frames each.
/// Positions take 16 bits of the block's bounds, quantities 8 bits of their range in the block; both are
/// foretold from the frames before, and what is left is deflated.
struct PageRun {
  Json about;
  std::vector<std::string> blocks;  ///< base64
};

/// `run` is the folder of a run, or a cache; `label` what the page calls it. Every `every`-th frame is taken.
PageRun pack_run(const std::string& run, const std::string& label, int every);

/// The tets that the run has cached beside its skin, which go with the run of that place in the page; nothing
/// if it has none.
std::optional<PageRun> pack_tets(const std::string& run, const std::string& label, int every,
                                 std::size_t place);

}  // namespace verve
