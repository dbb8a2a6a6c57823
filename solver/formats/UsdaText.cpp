#include "formats/UsdaText.h"

#include <array>
#include <cctype>
#include <cstring>
#include <map>

namespace verve {
namespace {

void append_text(std::string& out, const std::string& text) {
  out += '"';
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  out += '"';
}

}  // namespace

std::string usd_type(const Attribute& a) {
  if (a.is_array() || a.tuple_size > 4) return "";
  const std::string size = a.tuple_size == 1 ? "" : std::to_string(a.tuple_size);
  const std::string storage = storage_name(a.values);
  if (storage == "string") return a.tuple_size == 1 ? "string" : "";
  if (storage == "dict") return "";
  if (storage == "int64") return a.tuple_size == 1 ? "int64" : "";
  if (storage == "uint8" && a.tuple_size == 1) return "uchar";
  if (storage.compare(0, 6, "fpreal") != 0) return "int" + size;
  const char letter = storage == "fpreal32" ? 'f' : storage == "fpreal64" ? 'd' : 'h';
  if (a.tuple_size == 3)
    for (const char* role : {"point", "vector", "normal", "color"})
      if (a.type_info == role) return std::string(role) + "3" + letter;
  return (letter == 'f' ? "float" : letter == 'd' ? "double" : "half") + size;
}

std::string usd_identifier(const std::string& name) {
  std::string result = name;
  for (char& c : result)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) ? "_" + result : result;
}

void append_row(std::string& out, const std::vector<int>& values) {
  append_row(out, values.data(), values.size(), 1);
}

std::string usd_value(const Attribute& a) {
  std::string out;
  const auto tuple = static_cast<std::size_t>(a.tuple_size);
  std::visit(
      [&](const auto& v) {
        if constexpr (std::is_base_of_v<StringValues, std::decay_t<decltype(v)>>) {
          out += '[';
          for (std::size_t i = 0; i < v.indices.size(); ++i) {
            if (i > 0) out += ", ";
            append_text(out, v.at(i));
          }
          out += ']';
        } else {
          append_row(out, v.data(), v.size() / tuple, tuple);
        }
      },
      a.values);
  return out;
}

IndexedCoordinates indexed(const Attribute& a, std::size_t components) {
  const std::vector<float>& all = *a.as<float>();
  const auto tuple = static_cast<std::size_t>(a.tuple_size);
  std::map<std::array<std::uint32_t, 3>, int> known;
  std::vector<float> values;
  std::vector<int> indices;
  for (std::size_t i = 0; i < all.size(); i += tuple) {
    std::array<float, 3> value{};
    for (std::size_t k = 0; k < std::min(components, tuple); ++k) value[k] = all[i + k];
    std::array<std::uint32_t, 3> bits;
    std::memcpy(bits.data(), value.data(), sizeof bits);
    const auto [found, fresh] = known.try_emplace(bits, static_cast<int>(known.size()));
    if (fresh) values.insert(values.end(), value.begin(), value.begin() + static_cast<int>(components));
    indices.push_back(found->second);
  }
  IndexedCoordinates result;
  append_row(result.values, values.data(), values.size() / components, components);
  append_row(result.indices, indices);
  return result;
}

}  // namespace verve
