// How the rows of the parameter table are written.
#pragma once

#include <limits>
#include <utility>

#include "parameters/Parameters.h"

namespace verve {

/// Builds a row; unit, range and the rest are set by the calls chained to it.
struct Entry : Parameter {
  Entry(const char* path, const char* label, ParameterKind kind, const char* fallback, const char* help) {
    this->path = path;
    this->label = label;
    this->kind = kind;
    this->fallback = fallback;
    this->help = help;
    low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  }
  Entry& in(const char* u) { return unit = u, *this; }
  Entry& from(double a) { return low = a, *this; }
  Entry& above(double a) { return low = a, above_low = true, *this; }
  Entry& to(double b) { return high = b, *this; }
  Entry& of(int n) { return size = n, *this; }
  Entry& among(std::vector<std::string> words) { return menu = std::move(words), *this; }
  Entry& by(const char* a) { return attribute = a, *this; }
};

}  // namespace verve
