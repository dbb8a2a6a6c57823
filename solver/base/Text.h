// Small helpers for messages.
#pragma once

#include <string>
#include <vector>

namespace verve {

/// The candidate with the smallest edit distance to `word`; empty when there is none.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?" when some candidate is close to `word`, else "; known are a, b, c".
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

/// A number as short as it can be while reading back to the same bits.
std::string shortest(double value);

}  // namespace verve
