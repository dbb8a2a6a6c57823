// What the node info says about a frame.
#pragma once

#include <string>

#include "node/SolverNode.h"

namespace verve {

std::string summary(const NodeResult& result, const NodeCache& cache);

}  // namespace verve
