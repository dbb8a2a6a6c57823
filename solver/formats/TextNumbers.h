// Numbers in text files: the shortest digits that give the same number back.
#pragma once

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "geometry/Half.h"

namespace verve {

/// Appends a number; what is not finite becomes inf, -inf or nan.
template <class T>
void append_number(std::string& out, T value) {
  if constexpr (std::is_same_v<T, Half>) {
    append_number(out, static_cast<float>(value));
  } else {
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value)) {
        out += std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
        return;
      }
    }
    char buffer[40];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  }
}

/// Takes a number from the front of `text`; false if there is none. Whole numbers must fit T.
template <class T>
bool take_number(std::string_view& text, T& value) {
  const char* begin = text.data() + (!text.empty() && text[0] == '+');
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error == std::errc::invalid_argument) return false;
  if (error == std::errc::result_out_of_range) {
    if constexpr (!std::is_floating_point_v<T>) return false;
    // Too small for the type is zero, too large infinite: the exponent's sign tells.
    const std::string_view digits(begin, static_cast<std::size_t>(end - begin));
    const std::size_t e = digits.find_first_of("eE");
    const bool tiny = e != std::string_view::npos && e + 1 < digits.size() && digits[e + 1] == '-';
    value = std::copysign(tiny ? T{} : static_cast<T>(INFINITY), static_cast<T>(digits[0] == '-' ? -1 : 1));
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace verve
