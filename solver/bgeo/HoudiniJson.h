// Documents as Houdini writes them: JSON text, or its own binary JSON with the same values. One value model,
// two encodings; long rows of numbers stay packed, so that a million points cost one copy.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "geometry/Half.h"

namespace verve {

/// The kinds of number in a row, with the byte that stands for each in binary JSON.
enum class JsonScalar : std::uint8_t {
  Bool = 0x10,
  I8 = 0x11,
  I16 = 0x12,
  I32 = 0x13,
  I64 = 0x14,
  R16 = 0x18,
  R32 = 0x19,
  R64 = 0x1a,
  U8 = 0x21,
  U16 = 0x22
};

/// The bytes that `count` numbers of a kind take; truth values are packed into 32-bit words.
std::size_t bytes_of(JsonScalar type, std::size_t count);

/// A row of numbers of one kind: a view of the file's bytes, or of a buffer that it keeps alive.
struct JsonNumbers {
  JsonScalar type = JsonScalar::I64;
  std::size_t count = 0;
  const unsigned char* data = nullptr;
  bool swapped = false;
  std::shared_ptr<const void> buffer;

  double real(std::size_t i) const;
  /// Entry i; an Error if it has a fraction or is too large.
  std::int64_t integer(std::size_t i) const;
};

/// A string: a view of the file's bytes, or of a buffer that it keeps alive. A string that a file refers to
/// many times costs its length once.
struct JsonText {
  std::string_view view;
  std::shared_ptr<const std::string> buffer;
};

class JsonValue;
using JsonArray = std::vector<JsonValue>;
using JsonObject = std::vector<std::pair<JsonText, JsonValue>>;

class JsonValue {
 public:
  std::variant<std::monostate, bool, std::int64_t, double, JsonText, JsonArray, JsonObject, JsonNumbers>
      value;

  /// The value of `key` in an object or in a flat array of keys and values; null if there is none. Houdini
  /// uses both forms, and several keys have an old and a short name.
  const JsonValue* find(std::string_view key) const;
  const JsonValue* find(std::string_view key, std::string_view other) const;
  /// As find, but an Error that names the key if there is none.
  const JsonValue& get(std::string_view key) const;

  bool is_array() const { return value.index() == 5 || value.index() == 7; }
  bool is_object() const { return value.index() == 6; }
  bool is_text() const { return value.index() == 4; }
  /// How many entries an array has; an Error that names `what` for anything else.
  std::size_t size(const char* what) const;
  /// Entry i of an array that holds more than a row of numbers.
  const JsonValue& at(std::size_t i, const char* what) const;
  /// These convert what converts without loss and else give an Error that names `what`.
  bool truth(const char* what) const;
  std::int64_t integer(const char* what) const;
  double real(const char* what) const;
  std::string_view text(const char* what) const;
  /// Entry i of an array of numbers, packed or not.
  std::int64_t integer_at(std::size_t i, const char* what) const;
  double real_at(std::size_t i, const char* what) const;

  /// Copies the `count` entries from `begin` of an array of numbers; an Error if there are fewer, or if an
  /// entry does not fit T.
  template <class T>
  void copy(std::size_t begin, std::size_t count, T* out, const char* what) const;
};

/// Parses a whole document; the bytes must outlive the value. Tells the encodings apart by the first bytes.
/// Never trusts a length that the bytes left cannot hold.
JsonValue parse_json(std::string_view bytes);
JsonValue parse_json_text(std::string_view text);
JsonValue parse_json_binary(std::string_view bytes);
bool is_json_binary(std::string_view bytes);

}  // namespace verve
