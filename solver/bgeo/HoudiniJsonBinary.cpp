// Houdini's binary JSON to values: a tag byte, then the value; strings may be defined once and referred to.
#include <cstring>
#include <unordered_map>

#include "base/Error.h"
#include "bgeo/HoudiniJson.h"

namespace verve {

namespace {

constexpr int kDeepest = 200;
constexpr unsigned char kMagic[] = {0x7f, 'N', 'S', 'J', 'b'};
constexpr unsigned char kMagicSwapped[] = {0x7f, 'b', 'J', 'S', 'N'};

class BinaryParser {
 public:
  explicit BinaryParser(std::string_view bytes) : bytes_(bytes) {
    swapped_ = std::memcmp(bytes.data(), kMagicSwapped, 5) == 0;
    at_ = 5;
  }

  JsonValue document() {
    JsonValue root;
    parse(next_tag(), root, 0);
    return root;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool swapped_ = false;
  std::unordered_map<std::uint64_t, std::string_view> tokens_;

  [[noreturn]] void fail(const std::string& what) const {
    throw Error("byte " + std::to_string(at_) + ": " + what);
  }

  const unsigned char* take(std::size_t count) {
    if (count > bytes_.size() - at_) fail("the file ends too early");
    const auto* data = reinterpret_cast<const unsigned char*>(bytes_.data()) + at_;
    at_ += count;
    return data;
  }

  template <class T>
  T number() {
    const unsigned char* data = take(sizeof(T));
    unsigned char raw[sizeof(T)];
    for (std::size_t k = 0; k < sizeof(T); ++k) raw[k] = data[swapped_ ? sizeof(T) - 1 - k : k];
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
  }

  std::uint64_t length() {
    const auto n = number<std::uint8_t>();
    if (n < 0xf1) return n;
    if (n == 0xf2) return number<std::uint16_t>();
    if (n == 0xf4) return number<std::uint32_t>();
    if (n == 0xf8) return number<std::uint64_t>();
    fail("bad length");
  }

  std::string_view string() {
    const std::uint64_t n = length();
    if (n > bytes_.size() - at_) fail("a string is longer than the file");
    return {reinterpret_cast<const char*>(take(static_cast<std::size_t>(n))), static_cast<std::size_t>(n)};
  }

  std::string_view token() {
    const auto found = tokens_.find(length());
    if (found == tokens_.end()) fail("refers to a string that was not defined");
    return found->second;
  }

  /// The next tag that begins a value, or a closing bracket; definitions of strings are taken in on the way.
  unsigned char next_tag() {
    while (true) {
      const auto tag = number<std::uint8_t>();
      if (tag == 0x2b) {
        const std::uint64_t id = length();
        tokens_[id] = string();
      } else if (tag == 0x2d) {
        tokens_.erase(length());
      } else {
        return tag;
      }
    }
  }

  void parse(unsigned char tag, JsonValue& result, int depth) {
    if (depth > kDeepest) fail("brackets are nested too deeply");
    switch (tag) {
      case 0x00:
        break;
      case 0x10:
        result.value = number<std::uint8_t>() != 0;
        break;
      case 0x11:
        result.value = std::int64_t{number<std::int8_t>()};
        break;
      case 0x12:
        result.value = std::int64_t{number<std::int16_t>()};
        break;
      case 0x13:
        result.value = std::int64_t{number<std::int32_t>()};
        break;
      case 0x14:
        result.value = number<std::int64_t>();
        break;
      case 0x18:
        result.value = static_cast<double>(number<Half>());
        break;
      case 0x19:
        result.value = static_cast<double>(number<float>());
        break;
      case 0x1a:
        result.value = number<double>();
        break;
      case 0x21:
        result.value = std::int64_t{number<std::uint8_t>()};
        break;
      case 0x22:
        result.value = std::int64_t{number<std::uint16_t>()};
        break;
      case 0x26:
        result.value = JsonText{token(), nullptr};
        break;
      case 0x27:
        result.value = JsonText{string(), nullptr};
        break;
      case 0x30:
        result.value = false;
        break;
      case 0x31:
        result.value = true;
        break;
      case 0x40:
        parse_row(result);
        break;
      case 0x5b:
        parse_array(result, depth);
        break;
      case 0x7b:
        parse_object(result, depth);
        break;
      default:
        fail("unknown kind of value (" + std::to_string(tag) + ")");
    }
  }

  void parse_array(JsonValue& result, int depth) {
    JsonArray array;
    for (unsigned char tag = next_tag(); tag != 0x5d; tag = next_tag())
      parse(tag, array.emplace_back(), depth + 1);
    result.value = std::move(array);
  }

  void parse_object(JsonValue& result, int depth) {
    JsonObject object;
    for (unsigned char tag = next_tag(); tag != 0x7d; tag = next_tag()) {
      JsonValue key;
      parse(tag, key, depth + 1);
      object.emplace_back(JsonText{key.text("a name"), nullptr}, JsonValue{});
      parse(next_tag(), object.back().second, depth + 1);
    }
    result.value = std::move(object);
  }

  void parse_row(JsonValue& result) {
    const auto type = number<std::uint8_t>();
    const std::uint64_t count = length();
    // Even truth values take a bit each, so this bounds every size computed below.
    if (count / 8 > bytes_.size() - at_) fail("a row of numbers is longer than the file");
    if (type == 0x27 || type == 0x26) {
      JsonArray strings;
      for (std::uint64_t i = 0; i < count; ++i)
        strings.emplace_back().value = JsonText{type == 0x27 ? string() : token(), nullptr};
      result.value = std::move(strings);
      return;
    }
    const bool known = type == 0x10 || (type >= 0x11 && type <= 0x14) || (type >= 0x18 && type <= 0x1a) ||
                       type == 0x21 || type == 0x22;
    if (!known) fail("a row of an unknown kind of number (" + std::to_string(type) + ")");
    JsonNumbers numbers;
    numbers.type = static_cast<JsonScalar>(type);
    numbers.count = static_cast<std::size_t>(count);
    numbers.swapped = swapped_;
    numbers.data = take(bytes_of(numbers.type, numbers.count));
    result.value = std::move(numbers);
  }
};

}  // namespace

bool is_json_binary(std::string_view bytes) {
  return bytes.size() >= 5 &&
         (std::memcmp(bytes.data(), kMagic, 5) == 0 || std::memcmp(bytes.data(), kMagicSwapped, 5) == 0);
}

JsonValue parse_json_binary(std::string_view bytes) {
  if (!is_json_binary(bytes)) throw Error("this is no binary JSON");
  return BinaryParser(bytes).document();
}

}  // namespace verve
