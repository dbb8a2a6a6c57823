#include "geometry/Attribute.h"

#include <algorithm>

#include "base/Error.h"

namespace verve {

const char* name_of(Owner owner) {
  constexpr const char* names[] = {"point", "vertex", "primitive", "detail"};
  return names[static_cast<int>(owner)];
}

const char* storage_name(const Values& values) {
  constexpr const char* names[] = {"int8",     "uint8",    "int16",    "int32",  "int64",
                                   "fpreal16", "fpreal32", "fpreal64", "string", "dict"};
  return names[values.index()];
}

const std::string& StringValues::at(std::size_t i) const {
  static const std::string empty;
  const int index = indices.at(i);
  return index < 0 ? empty : table.at(static_cast<std::size_t>(index));
}

int StringValues::index_of(const std::string& text) {
  const auto index = std::find(table.begin(), table.end(), text) - table.begin();
  if (static_cast<std::size_t>(index) == table.size()) table.push_back(text);
  return static_cast<int>(index);
}

bool operator==(const StringValues& a, const StringValues& b) {
  if (a.indices.size() != b.indices.size()) return false;
  if (a.table == b.table && a.indices == b.indices) return true;
  for (std::size_t i = 0; i < a.indices.size(); ++i)
    if (a.at(i) != b.at(i)) return false;
  return true;
}

namespace {

struct Size {
  std::size_t operator()(const StringValues& v) const { return v.indices.size(); }
  template <class T>
  std::size_t operator()(const std::vector<T>& v) const {
    return v.size();
  }
};

struct Same {
  const Values& other;
  bool operator()(const StringValues& a) const {
    const StringValues* b = std::get_if<StringValues>(&other);
    return a == (b ? *b : std::get<DictValues>(other));
  }
  template <class T>
  bool operator()(const std::vector<T>& a) const {
    const auto& b = std::get<std::vector<T>>(other);
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
  }
};

template <class T>
void select_rows(std::vector<T>& values, std::vector<std::int64_t>& starts,
                 const std::vector<int>& elements) {
  std::vector<T> result;
  std::vector<std::int64_t> new_starts = {0};
  for (const int element : elements) {
    const auto at = static_cast<std::size_t>(element);
    result.insert(result.end(), values.begin() + starts[at], values.begin() + starts[at + 1]);
    new_starts.push_back(static_cast<std::int64_t>(result.size()));
  }
  values = std::move(result);
  starts = std::move(new_starts);
}

}  // namespace

std::size_t Attribute::size() const {
  return std::visit(Size{}, values);
}

double Attribute::number(std::size_t i) const {
  return std::visit(
      [&](const auto& v) -> double {
        if constexpr (std::is_base_of_v<StringValues, std::decay_t<decltype(v)>>) {
          throw Error("attribute '" + name + "' holds text where a number is needed");
        } else {
          return static_cast<double>(v.at(i));
        }
      },
      values);
}

const std::string& Attribute::text(std::size_t i) const {
  if (const auto* strings = std::get_if<StringValues>(&values)) return strings->at(i);
  if (const auto* dicts = std::get_if<DictValues>(&values)) return dicts->at(i);
  throw Error("attribute '" + name + "' holds numbers where text is needed");
}

void select_elements(Attribute& attribute, const std::vector<int>& elements) {
  const auto select = [&](auto& values) {
    if (attribute.is_array()) {
      select_rows(values, attribute.starts, elements);
    } else {
      select_tuples(values, elements, static_cast<std::size_t>(attribute.tuple_size));
    }
  };
  std::visit(
      [&](auto& v) {
        if constexpr (std::is_base_of_v<StringValues, std::decay_t<decltype(v)>>) {
          select(v.indices);
        } else {
          select(v);
        }
      },
      attribute.values);
}

bool same(const Attribute& a, const Attribute& b) {
  return a.name == b.name && a.type_info == b.type_info && a.tuple_size == b.tuple_size &&
         a.starts == b.starts && a.values.index() == b.values.index() && a.defaults == b.defaults &&
         std::visit(Same{b.values}, a.values);
}

}  // namespace verve
