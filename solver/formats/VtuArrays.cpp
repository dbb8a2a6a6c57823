#include "formats/VtuArrays.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "base/Error.h"
#include "formats/TextNumbers.h"

namespace verve {
namespace {

/// The bytes of base64 text, up to `limit` of them.
std::string decode_base64(std::string_view text, std::size_t limit) {
  std::string result;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (result.size() >= limit || c == '=') break;
    int value;
    if (c >= 'A' && c <= 'Z')
      value = c - 'A';
    else if (c >= 'a' && c <= 'z')
      value = c - 'a' + 26;
    else if (c >= '0' && c <= '9')
      value = c - '0' + 52;
    else if (c == '+')
      value = 62;
    else if (c == '/')
      value = 63;
    else if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
      continue;
    else
      throw Error("a data array is no base64 text");
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    if (++count == 4) {
      for (int shift = 16; shift >= 0; shift -= 8) result += static_cast<char>(bits >> shift);
      bits = 0;
      count = 0;
    }
  }
  for (int k = 0; k + 1 < count; ++k) result += static_cast<char>(bits >> (6 * count - 8 * (k + 1)));
  if (result.size() > limit) result.resize(limit);
  return result;
}

std::string taken(std::string_view from, bool base64, std::size_t bytes) {
  std::string result = base64 ? decode_base64(from, bytes) : std::string(from.substr(0, bytes));
  if (result.size() != bytes) throw Error("an array ends too early");
  return result;
}

template <class T, class From>
std::vector<T> widened(const std::vector<From>& values) {
  return std::vector<T>(values.begin(), values.end());
}

}  // namespace

std::size_t whole_number(const std::string& text, const char* what) {
  std::string_view view = text;
  std::uint64_t value = 0;
  if (!take_number(view, value) || !view.empty()) throw Error(std::string("'") + text + "' is no " + what);
  return static_cast<std::size_t>(value);
}

std::string VtuArrays::raw_bytes(const XmlTag& tag) const {
  const bool after = tag.get("format") == "appended";
  std::string_view from = tag.text;
  if (after) {
    const std::size_t offset = whole_number(tag.get("offset", "0"), "offset");
    if (offset > appended.size()) throw Error("an array begins after the end of the file");
    from = appended.substr(offset);
  }
  from.remove_prefix(
      std::min(after && !appended_base64 ? 0 : from.find_first_not_of(" \t\r\n"), from.size()));
  const bool base64 = !after || appended_base64;
  if (compressed) return unpacked(from, base64);
  const std::uint64_t size = header(taken(from, base64, header_bytes()), 0);
  if (size > from.size()) throw Error("an array is longer than the file");
  return taken(from, base64, header_bytes() + static_cast<std::size_t>(size)).substr(header_bytes());
}

std::size_t VtuArrays::header_bytes() const {
  return long_header ? 8 : 4;
}

std::uint64_t VtuArrays::header(const std::string& bytes, std::size_t entry) const {
  const std::size_t size = header_bytes();
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t at = entry * size + (big_endian ? size - 1 - k : k);
    value |= std::uint64_t(static_cast<unsigned char>(bytes[at])) << (8 * k);
  }
  return value;
}

std::string VtuArrays::unpacked(std::string_view from, bool base64) const {
  const std::uint64_t blocks = header(taken(from, base64, header_bytes()), 0);
  if (blocks > from.size()) throw Error("an array has more blocks than the file has bytes");
  if (blocks == 0) return {};
  const std::size_t head = (3 + static_cast<std::size_t>(blocks)) * header_bytes();
  const std::string sizes = taken(from, base64, head);
  std::uint64_t all = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    if (header(sizes, 3 + b) > from.size()) throw Error("a compressed array is longer than the file");
    all += header(sizes, 3 + b);
  }
  if (all > from.size()) throw Error("a compressed array is longer than the file");
  from.remove_prefix(std::min(base64 ? (head + 2) / 3 * 4 : head, from.size()));
  const std::string packed = taken(from, base64, static_cast<std::size_t>(all));
  std::string out;
  std::size_t at = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::uint64_t last = header(sizes, 2), bytes = header(sizes, 3 + b);
    const std::uint64_t size = b + 1 == blocks && last > 0 ? last : header(sizes, 1);
    // zlib packs a thousand to one at best: more is damage.
    if (size > 1100 * (bytes + 1)) throw Error("a compressed array is damaged");
    const std::size_t begin = out.size();
    out.resize(begin + static_cast<std::size_t>(size));
    uLongf done = static_cast<uLongf>(size);
    if (uncompress(reinterpret_cast<Bytef*>(&out[begin]), &done,
                   reinterpret_cast<const Bytef*>(packed.data() + at), static_cast<uLong>(bytes)) != Z_OK ||
        done != size)
      throw Error("a compressed array is damaged");
    at += static_cast<std::size_t>(bytes);
  }
  return out;
}

template <class T>
std::vector<T> VtuArrays::decode_as(const XmlTag& tag) const {
  std::vector<T> values;
  if (tag.get("format", "ascii") == "ascii") {
    std::string_view text = tag.text;
    while (true) {
      text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
      if (text.empty()) return values;
      // Eight-bit numbers are written as numbers, not as characters.
      std::conditional_t<sizeof(T) == 1, int, T> value{};
      if (!take_number(text, value)) throw Error("a number is damaged");
      values.push_back(static_cast<T>(value));
    }
  }
  const std::string bytes = raw_bytes(tag);
  values.resize(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    char raw[sizeof(T)];
    for (std::size_t k = 0; k < sizeof(T); ++k)
      raw[big_endian ? sizeof(T) - 1 - k : k] = bytes[i * sizeof(T) + k];
    std::memcpy(&values[i], raw, sizeof(T));
  }
  return values;
}

Values VtuArrays::decode(const XmlTag& tag) const {
  const std::string type = tag.get("type");
  if (type == "Int8") return decode_as<std::int8_t>(tag);
  if (type == "UInt8") return decode_as<std::uint8_t>(tag);
  if (type == "Int16") return decode_as<std::int16_t>(tag);
  if (type == "Int32") return decode_as<std::int32_t>(tag);
  if (type == "Int64") return decode_as<std::int64_t>(tag);
  if (type == "Float32") return decode_as<float>(tag);
  if (type == "Float64") return decode_as<double>(tag);
  if (type == "UInt16") return widened<std::int32_t>(decode_as<std::uint16_t>(tag));
  if (type == "UInt32") return widened<std::int64_t>(decode_as<std::uint32_t>(tag));
  if (type == "UInt64") return widened<std::int64_t>(decode_as<std::uint64_t>(tag));
  throw Error("the type '" + type + "' is not known");
}

}  // namespace verve
