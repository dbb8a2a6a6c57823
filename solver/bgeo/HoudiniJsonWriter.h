// Writes a document value by value, as JSON text or as Houdini's binary JSON.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bgeo/HoudiniJson.h"

namespace verve {

class JsonWriter {
 public:
  virtual ~JsonWriter() = default;

  virtual void begin_array() = 0;
  virtual void end_array() = 0;
  virtual void begin_object() = 0;
  virtual void end_object() = 0;
  /// The name of the value that follows, inside an object.
  virtual void key(std::string_view name) = 0;
  virtual void null() = 0;
  virtual void boolean(bool value) = 0;
  virtual void integer(std::int64_t value) = 0;
  virtual void real(double value) = 0;
  virtual void text(std::string_view value) = 0;
  /// A row of numbers of one kind. Floats survive bit for bit (in text, NaNs lose their payload).
  virtual void numbers(const JsonNumbers& row) = 0;
  /// Makes room for a document of about so many bytes.
  virtual void reserve(std::size_t bytes) = 0;
  /// The document so far; call once at the end.
  virtual std::string take() = 0;

  template <class T>
  void numbers(const T* data, std::size_t count) {
    numbers(JsonNumbers{scalar(T{}), count, reinterpret_cast<const unsigned char*>(data), false, nullptr});
  }
  template <class T>
  void numbers(const std::vector<T>& row) {
    numbers(row.data(), row.size());
  }
  void booleans(const std::vector<std::uint8_t>& flags);
  /// Any parsed value again.
  void value(const JsonValue& value);

 private:
  static JsonScalar scalar(std::int8_t) { return JsonScalar::I8; }
  static JsonScalar scalar(std::uint8_t) { return JsonScalar::U8; }
  static JsonScalar scalar(std::int16_t) { return JsonScalar::I16; }
  static JsonScalar scalar(std::int32_t) { return JsonScalar::I32; }
  static JsonScalar scalar(std::int64_t) { return JsonScalar::I64; }
  static JsonScalar scalar(Half) { return JsonScalar::R16; }
  static JsonScalar scalar(float) { return JsonScalar::R32; }
  static JsonScalar scalar(double) { return JsonScalar::R64; }
};

/// `indent`: every bracket begins a line, as in Houdini's own files; else the document is one line.
std::unique_ptr<JsonWriter> make_json_text_writer(bool indent);
/// Little-endian; strings are defined once and then referred to.
std::unique_ptr<JsonWriter> make_json_binary_writer();

}  // namespace verve
