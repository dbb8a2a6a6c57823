#include "bgeo/HoudiniAttributeWriter.h"

#include <algorithm>
#include <cstring>

namespace verve {
namespace {

constexpr std::size_t kPage = 1024;

}  // namespace

void write_field(JsonWriter& json, const char* name, const std::string& value) {
  json.text(name);
  json.text(value);
}
void write_field(JsonWriter& json, const char* name, int value) {
  json.text(name);
  json.integer(value);
}

template <class T>
void HoudiniAttributeWriter::pages(const std::vector<T>& v, std::size_t tuple) {
  const std::size_t page = kPage * tuple;
  std::vector<std::uint8_t> constant((v.size() + page - 1) / page);
  for (std::size_t i = 0; i < constant.size(); ++i) {
    const std::size_t begin = i * page, size = std::min(page, v.size() - begin);
    constant[i] = size > tuple && std::memcmp(&v[begin], &v[begin + tuple], (size - tuple) * sizeof(T)) == 0;
  }
  json_.text("pagesize");
  json_.integer(kPage);
  if (std::find(constant.begin(), constant.end(), 1) == constant.end()) {
    json_.text("rawpagedata");
    json_.numbers(v);
    return;
  }
  json_.text("constantpageflags");
  json_.begin_array();
  json_.booleans(constant);
  json_.end_array();
  std::vector<T> data;
  for (std::size_t i = 0; i < constant.size(); ++i) {
    const auto begin = v.begin() + static_cast<std::ptrdiff_t>(i * page);
    const std::size_t size = constant[i] ? tuple : std::min(page, v.size() - i * page);
    data.insert(data.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  json_.text("rawpagedata");
  json_.numbers(data);
}

template <class T>
void HoudiniAttributeWriter::arrays(const std::vector<T>& v, const Attribute& a, Owner owner) {
  json_.begin_array();
  for (std::size_t i = 0; i + 1 < a.starts.size(); ++i) {
    const std::size_t element = owner == Owner::Vertex ? static_cast<std::size_t>(order_[i]) : i;
    const std::int64_t begin = a.starts[element], end = a.starts[element + 1];
    json_.numbers(v.data() + begin, static_cast<std::size_t>(end - begin));
  }
  json_.end_array();
}

template <class T>
void HoudiniAttributeWriter::values(const std::vector<T>& all, const char* storage, const Attribute& a,
                                    Owner owner) {
  if (a.is_array()) return arrays(all, a, owner);
  const auto tuple = static_cast<std::size_t>(a.tuple_size);
  const bool moved = owner == Owner::Vertex;
  const std::vector<T> copy = moved ? reordered(order_, all, tuple) : std::vector<T>{};
  const std::vector<T>& v = moved ? copy : all;
  json_.begin_array();
  write_field(json_, "size", a.tuple_size);
  write_field(json_, "storage", storage);
  if (!text_) {
    pages(v, tuple);
  } else if (tuple == 1) {
    json_.text("arrays");
    json_.begin_array();
    json_.numbers(v);
    json_.end_array();
  } else {
    json_.text("tuples");
    json_.begin_array();
    for (std::size_t i = 0; i < v.size(); i += tuple) json_.numbers(v.data() + i, tuple);
    json_.end_array();
  }
  json_.end_array();
}

void HoudiniAttributeWriter::defaults(const Attribute& a) {
  json_.text("defaults");
  json_.begin_array();
  write_field(json_, "size", static_cast<int>(a.defaults.size()));
  write_field(json_, "storage", "fpreal64");
  json_.text("values");
  json_.numbers(a.defaults);
  json_.end_array();
}

void HoudiniAttributeWriter::table(const StringValues& values, bool dicts) {
  json_.text(dicts ? "dicts" : "strings");
  json_.begin_array();
  for (const std::string& item : values.table) {
    if (dicts) {
      json_.value(parse_json_text(item));
    } else {
      json_.text(item);
    }
  }
  json_.end_array();
}

void HoudiniAttributeWriter::attribute(const Attribute& a, Owner owner) {
  const bool strings = std::holds_alternative<StringValues>(a.values);
  const bool dicts = std::holds_alternative<DictValues>(a.values);
  if (dicts && a.is_array())
    throw Error("attribute '" + a.name + "': arrays of dictionaries cannot be written to Houdini's files");
  json_.begin_array();
  json_.begin_array();
  write_field(json_, "scope", "public");
  write_field(json_, "type",
              dicts     ? "dict"
              : strings ? (a.is_array() ? "stringarray" : "string")
                        : (a.is_array() ? "arraydata" : "numeric"));
  write_field(json_, "name", a.name);
  json_.text("options");
  json_.begin_object();
  if (!a.type_info.empty()) {
    json_.key("type");
    json_.begin_object();
    json_.key("type");
    json_.text("string");
    json_.key("value");
    json_.text(a.type_info);
    json_.end_object();
  }
  json_.end_object();
  json_.end_array();
  json_.begin_array();
  write_field(json_, "size", a.tuple_size);
  write_field(json_, "storage", strings || dicts ? "int32" : storage_name(a.values));
  if (strings || dicts) {
    table(strings ? std::get<StringValues>(a.values) : std::get<DictValues>(a.values), dicts);
  } else {
    defaults(a);
  }
  json_.text(strings || dicts ? "indices" : "values");
  std::visit(
      [&](const auto& v) {
        if constexpr (std::is_base_of_v<StringValues, std::decay_t<decltype(v)>>) {
          values(v.indices, "int32", a, owner);
        } else {
          values(v, storage_name(a.values), a, owner);
        }
      },
      a.values);
  json_.end_array();
  json_.end_array();
}

}  // namespace verve
