// Values on the points, vertices or primitives of a Geometry, or on the whole of it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "geometry/Half.h"

namespace verve {

enum class Owner : std::uint8_t { Point, Vertex, Primitive, Detail };
constexpr int kOwners = 4;
/// "point", "vertex", "primitive" or "detail", for messages.
const char* name_of(Owner owner);

/// Strings are shared: an entry is an index into the table, or -1 for the empty string.
struct StringValues {
  std::vector<std::string> table;
  std::vector<int> indices;

  const std::string& at(std::size_t i) const;
  /// The index of `text` in the table, which grows if need be.
  int index_of(const std::string& text);
};

/// Dictionaries (since Houdini 18.5) are kept as JSON text, shared like strings.
struct DictValues : StringValues {};

using Values = std::variant<std::vector<std::int8_t>, std::vector<std::uint8_t>, std::vector<std::int16_t>,
                            std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<Half>,
                            std::vector<float>, std::vector<double>, StringValues, DictValues>;

/// `tuple_size` values an element, one element after the other. An array attribute has a varying number of
/// tuples: element i owns the values [starts[i], starts[i + 1]); `starts` is empty for every other attribute.
struct Attribute {
  std::string name;
  /// What the numbers mean, in Houdini's words: point, hpoint, vector, normal, color, matrix, quaternion,
  /// texturecoord, indexpair, ...; empty if they mean nothing special.
  std::string type_info;
  int tuple_size = 1;
  Values values;
  std::vector<std::int64_t> starts;
  /// What an element created later by a host begins with; one value for all components, or one for each.
  std::vector<double> defaults = {0};

  bool is_array() const { return !starts.empty(); }
  bool is_text() const { return values.index() >= 8; }
  /// How many entries the values have in all: elements * tuple_size unless it is an array attribute.
  std::size_t size() const;
  /// Entry i as a number whatever the storage; strings have none and give an Error.
  double number(std::size_t i) const;
  /// Entry i of a string or dictionary attribute; an Error for numbers.
  const std::string& text(std::size_t i) const;

  template <class T>
  const std::vector<T>* as() const {
    return std::get_if<std::vector<T>>(&values);
  }
};

bool operator==(const StringValues& a, const StringValues& b);
/// Equal bits: two NaNs with the same bits are equal, +0 and -0 are not. Strings are compared by text.
bool same(const Attribute& a, const Attribute& b);

/// Keeps the given elements, in the given order; an element may turn up more than once.
void select_elements(Attribute& attribute, const std::vector<int>& elements);
template <class T>
void select_tuples(std::vector<T>& values, const std::vector<int>& elements, std::size_t tuple_size) {
  std::vector<T> result(elements.size() * tuple_size);
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (std::size_t k = 0; k < tuple_size; ++k)
      result[i * tuple_size + k] = values[static_cast<std::size_t>(elements[i]) * tuple_size + k];
  values = std::move(result);
}

/// Houdini's name of the storage: int8, uint8, int16, int32, int64, fpreal16, fpreal32, fpreal64, string,
/// dict.
const char* storage_name(const Values& values);

}  // namespace verve
