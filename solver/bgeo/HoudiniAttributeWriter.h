// Attributes as Houdini's files have them.
#pragma once

#include <string>
#include <vector>

#include "bgeo/HoudiniJsonWriter.h"
#include "geometry/Geometry.h"

namespace verve {

void write_field(JsonWriter& json, const char* name, const std::string& value);
void write_field(JsonWriter& json, const char* name, int value);

/// `values` in the order that the file has them: vertices are reordered, all else stays.
template <class T>
std::vector<T> reordered(const std::vector<int>& order, const std::vector<T>& values, std::size_t tuple = 1) {
  std::vector<T> result(values.size());
  for (std::size_t j = 0; j < order.size(); ++j) {
    const auto from = static_cast<std::size_t>(order[j]) * tuple;
    for (std::size_t k = 0; k < tuple; ++k) result[j * tuple + k] = values[from + k];
  }
  return result;
}

class HoudiniAttributeWriter {
 public:
  /// `order` has the vertices as the file has them. Both stay where they are.
  HoudiniAttributeWriter(JsonWriter& json, bool text, const std::vector<int>& order)
      : json_(json), text_(text), order_(order) {}
  void attribute(const Attribute& a, Owner owner);

 private:
  void defaults(const Attribute& a);
  void table(const StringValues& values, bool dicts);
  template <class T>
  void values(const std::vector<T>& all, const char* storage, const Attribute& a, Owner owner);
  /// Pages of 1024 elements; a page whose elements are all the same stores one of them.
  template <class T>
  void pages(const std::vector<T>& v, std::size_t tuple);
  template <class T>
  void arrays(const std::vector<T>& v, const Attribute& a, Owner owner);

  JsonWriter& json_;
  const bool text_;
  const std::vector<int>& order_;
};

}  // namespace verve
