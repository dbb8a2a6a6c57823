// Lengths in the words of errors and warnings, and the check that all shapes make of theirs.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include "base/Error.h"

namespace verve {

/// A number as artists write it: no more digits than they could mean.
inline std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

inline void require_length(const char* shape, const char* name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw Error(std::string(shape) + ": " + name + " is " + short_number(value) +
                "; give a length greater than zero");
}

}  // namespace verve
