// Houdini's binary JSON as machines of the other endianness write it.
#pragma once

#include <string>

#include "bgeo/HoudiniJson.h"

namespace verve {

/// Binary JSON of the other endianness, with every row of numbers packed.
class BigEndian {
 public:
  std::string encode(const JsonValue& value) {
    out_.assign(
        "\x7f"
        "bJSN");
    put(value);
    return out_;
  }

 private:
  std::string out_;

  template <class T>
  void number(T value) {
    const auto* bytes = reinterpret_cast<const char*>(&value);
    for (std::size_t k = sizeof(T); k > 0; --k) out_ += bytes[k - 1];
  }
  void text(std::string_view view) {
    out_ += '\x27';
    out_ += '\xf4';
    number(std::uint32_t(view.size()));
    out_.append(view);
  }
  void put(const JsonValue& value) {
    if (const auto* b = std::get_if<bool>(&value.value)) {
      out_ += '\x10';
      out_ += char(*b);
    } else if (const auto* i = std::get_if<std::int64_t>(&value.value)) {
      out_ += '\x14';
      number(*i);
    } else if (const auto* d = std::get_if<double>(&value.value)) {
      out_ += '\x1a';
      number(*d);
    } else if (const auto* s = std::get_if<JsonText>(&value.value)) {
      text(s->view);
    } else if (const auto* row = std::get_if<JsonNumbers>(&value.value)) {
      out_ += '\x40';
      out_ += char(row->type);
      out_ += '\xf8';
      number(std::uint64_t(row->count));
      for (std::size_t k = 0; k < row->count; ++k)
        row->type == JsonScalar::I64 ? number(row->integer(k)) : number(row->real(k));
    } else if (const auto* array = std::get_if<JsonArray>(&value.value)) {
      out_ += '[';
      for (const JsonValue& item : *array) put(item);
      out_ += ']';
    } else if (const auto* object = std::get_if<JsonObject>(&value.value)) {
      out_ += '{';
      for (const auto& [key, item] : *object) text(key.view), put(item);
      out_ += '}';
    } else {
      out_ += '\0';
    }
  }
};

}  // namespace verve
