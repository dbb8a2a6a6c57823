#include "bgeo/HoudiniJson.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "base/Error.h"

namespace verve {

namespace {

template <class T>
T load(const unsigned char* data, bool swapped) {
  unsigned char bytes[sizeof(T)];
  for (std::size_t k = 0; k < sizeof(T); ++k) bytes[k] = data[swapped ? sizeof(T) - 1 - k : k];
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

[[noreturn]] void wrong(const char* what, const char* need) {
  throw Error(std::string("expected ") + need + " for '" + what +
              "'; the file is damaged or of an unknown kind");
}

std::int64_t exact_integer(double value) {
  // 2^63 itself does not fit.
  if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0) || value != std::floor(value))
    throw Error("found " + std::to_string(value) + " where a whole number is needed");
  return static_cast<std::int64_t>(value);
}

/// Calls f with a value of the C++ type that a row holds (all but truth values).
template <class F>
auto with_type(JsonScalar type, F&& f) {
  switch (type) {
    case JsonScalar::I8:
      return f(std::int8_t{});
    case JsonScalar::U8:
      return f(std::uint8_t{});
    case JsonScalar::I16:
      return f(std::int16_t{});
    case JsonScalar::U16:
      return f(std::uint16_t{});
    case JsonScalar::I32:
      return f(std::int32_t{});
    case JsonScalar::R16:
      return f(Half{});
    case JsonScalar::R32:
      return f(float{});
    case JsonScalar::R64:
      return f(double{});
    default:
      return f(std::int64_t{});
  }
}

bool bit(const JsonNumbers& n, std::size_t i) {
  return (load<std::uint32_t>(n.data + 4 * (i / 32), n.swapped) >> (i % 32)) & 1;
}

/// `value` in the type T, or an Error where it is not the same number. Floats round, as every reader does.
template <class T, class From>
T convert(From value, const char* what) {
  if constexpr (std::is_same_v<T, From>) {
    return value;
  } else if constexpr (std::is_same_v<T, Half>) {
    return Half(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    std::int64_t whole;
    if constexpr (std::is_integral_v<From>) {
      whole = value;
    } else {
      whole = exact_integer(static_cast<double>(value));
    }
    if (whole < static_cast<std::int64_t>(std::numeric_limits<T>::min()) ||
        whole > static_cast<std::int64_t>(std::numeric_limits<T>::max()))
      throw Error("the number " + std::to_string(whole) + " in '" + what + "' does not fit its storage");
    return static_cast<T>(whole);
  }
}

}  // namespace

std::size_t bytes_of(JsonScalar type, std::size_t count) {
  if (type == JsonScalar::Bool) return (count / 32 + (count % 32 != 0)) * 4;
  return count * with_type(type, [](auto zero) { return sizeof(zero); });
}

double JsonNumbers::real(std::size_t i) const {
  if (type == JsonScalar::Bool) return bit(*this, i);
  return with_type(type, [&](auto zero) {
    return static_cast<double>(load<decltype(zero)>(data + i * sizeof(zero), swapped));
  });
}

std::int64_t JsonNumbers::integer(std::size_t i) const {
  if (type == JsonScalar::I64) return load<std::int64_t>(data + 8 * i, swapped);
  return exact_integer(real(i));
}

const JsonValue* JsonValue::find(std::string_view key) const {
  if (const auto* object = std::get_if<JsonObject>(&value)) {
    for (const auto& [name, item] : *object)
      if (name.view == key) return &item;
  } else if (const auto* array = std::get_if<JsonArray>(&value)) {
    for (std::size_t i = 0; i + 1 < array->size(); i += 2) {
      const auto* name = std::get_if<JsonText>(&(*array)[i].value);
      if (name && name->view == key) return &(*array)[i + 1];
    }
  }
  return nullptr;
}

const JsonValue* JsonValue::find(std::string_view key, std::string_view other) const {
  const JsonValue* found = find(key);
  return found ? found : find(other);
}

const JsonValue& JsonValue::get(std::string_view key) const {
  if (const JsonValue* found = find(key)) return *found;
  throw Error("there is no '" + std::string(key) +
              "' where one is needed; the file is damaged or of an unknown kind");
}

std::size_t JsonValue::size(const char* what) const {
  if (const auto* array = std::get_if<JsonArray>(&value)) return array->size();
  if (const auto* numbers = std::get_if<JsonNumbers>(&value)) return numbers->count;
  wrong(what, "a list");
}

const JsonValue& JsonValue::at(std::size_t i, const char* what) const {
  const auto* array = std::get_if<JsonArray>(&value);
  if (!array || i >= array->size()) wrong(what, "a list with more entries");
  return (*array)[i];
}

bool JsonValue::truth(const char* what) const {
  if (const bool* b = std::get_if<bool>(&value)) return *b;
  return integer(what) != 0;
}

std::int64_t JsonValue::integer(const char* what) const {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return *i;
  if (const auto* d = std::get_if<double>(&value)) return exact_integer(*d);
  if (const auto* b = std::get_if<bool>(&value)) return *b;
  wrong(what, "a whole number");
}

double JsonValue::real(const char* what) const {
  if (const auto* d = std::get_if<double>(&value)) return *d;
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* b = std::get_if<bool>(&value)) return *b;
  wrong(what, "a number");
}

std::string_view JsonValue::text(const char* what) const {
  if (const auto* s = std::get_if<JsonText>(&value)) return s->view;
  wrong(what, "a word");
}

std::int64_t JsonValue::integer_at(std::size_t i, const char* what) const {
  const auto* numbers = std::get_if<JsonNumbers>(&value);
  if (!numbers) return at(i, what).integer(what);
  if (i >= numbers->count) wrong(what, "more numbers");
  return numbers->integer(i);
}

double JsonValue::real_at(std::size_t i, const char* what) const {
  const auto* numbers = std::get_if<JsonNumbers>(&value);
  if (!numbers) return at(i, what).real(what);
  if (i >= numbers->count) wrong(what, "more numbers");
  return numbers->real(i);
}

template <class T>
void JsonValue::copy(std::size_t begin, std::size_t count, T* out, const char* what) const {
  const std::size_t there = size(what);
  if (begin > there || count > there - begin) wrong(what, "more numbers");
  const auto* numbers = std::get_if<JsonNumbers>(&value);
  if (!numbers) {
    for (std::size_t i = 0; i < count; ++i) {
      const JsonValue& item = at(begin + i, what);
      if (const auto* whole = std::get_if<std::int64_t>(&item.value)) {
        out[i] = convert<T>(*whole, what);
      } else {
        out[i] = convert<T>(item.real(what), what);
      }
    }
  } else if (numbers->type == JsonScalar::Bool) {
    for (std::size_t i = 0; i < count; ++i) out[i] = convert<T>(std::int8_t(bit(*numbers, begin + i)), what);
  } else {
    with_type(numbers->type, [&](auto zero) {
      using From = decltype(zero);
      const unsigned char* from = numbers->data + begin * sizeof(From);
      if (std::is_same_v<T, From> && !numbers->swapped) {
        if (count > 0) std::memcpy(static_cast<void*>(out), from, count * sizeof(T));
        return;
      }
      for (std::size_t i = 0; i < count; ++i)
        out[i] = convert<T>(load<From>(from + i * sizeof(From), numbers->swapped), what);
    });
  }
}

template void JsonValue::copy(std::size_t, std::size_t, std::int8_t*, const char*) const;
template void JsonValue::copy(std::size_t, std::size_t, std::uint8_t*, const char*) const;
template void JsonValue::copy(std::size_t, std::size_t, std::int16_t*, const char*) const;
template void JsonValue::copy(std::size_t, std::size_t, std::int32_t*, const char*) const;
template void JsonValue::copy(std::size_t, std::size_t, std::int64_t*, const char*) const;
template void JsonValue::copy(std::size_t, std::size_t, Half*, const char*) const;
template void JsonValue::copy(std::size_t, std::size_t, float*, const char*) const;
template void JsonValue::copy(std::size_t, std::size_t, double*, const char*) const;

JsonValue parse_json(std::string_view bytes) {
  return is_json_binary(bytes) ? parse_json_binary(bytes) : parse_json_text(bytes);
}

}  // namespace verve
