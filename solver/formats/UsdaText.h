// Names and values as OpenUSD writes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/TextNumbers.h"
#include "geometry/Attribute.h"

namespace verve {

/// USD's name of the type of an attribute's elements; empty if it has none.
std::string usd_type(const Attribute& a);
/// A name that USD takes: letters, digits and underscores.
std::string usd_identifier(const std::string& name);

/// Appends `count` tuples: [a, b] or [(a, b), (c, d)].
template <class T>
void append_row(std::string& out, const T* data, std::size_t count, std::size_t tuple) {
  out += '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += ", ";
    if (tuple > 1) out += '(';
    for (std::size_t k = 0; k < tuple; ++k) {
      if (k > 0) out += ", ";
      if constexpr (std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t>) {
        append_number(out, static_cast<int>(data[i * tuple + k]));
      } else {
        append_number(out, data[i * tuple + k]);
      }
    }
    if (tuple > 1) out += ')';
  }
  out += ']';
}

void append_row(std::string& out, const std::vector<int>& values);

/// All values of an attribute.
std::string usd_value(const Attribute& a);

/// Texture coordinates as USD's programs like them: each value once, and a row of indices.
struct IndexedCoordinates {
  std::string values, indices;
};
IndexedCoordinates indexed(const Attribute& a, std::size_t components);

}  // namespace verve
