// The check that all shapes make of the lengths they are given.
#pragma once

#include <cmath>
#include <string>

#include "base/Error.h"

namespace verve {

inline void require_length(const char* shape, const char* name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw Error(std::string(shape) + ": " + name + " is " + std::to_string(value) +
                "; give a length greater than zero");
}

}  // namespace verve
