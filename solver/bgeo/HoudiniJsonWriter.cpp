#include "bgeo/HoudiniJsonWriter.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <unordered_map>

namespace verve {

namespace {

class TextWriter : public JsonWriter {
 public:
  explicit TextWriter(bool indent) : indent_(indent) {}

  void begin_array() override { open('['); }
  void end_array() override { close(']'); }
  void begin_object() override { open('{'); }
  void end_object() override { close('}'); }
  void key(std::string_view name) override {
    separate();
    quoted(name);
    out_ += ':';
    first_ = true;
  }
  void null() override {
    separate();
    out_ += "null";
  }
  void boolean(bool value) override {
    separate();
    out_ += value ? "true" : "false";
  }
  void integer(std::int64_t value) override {
    separate();
    append(value);
  }
  void real(double value) override {
    separate();
    append(value);
  }
  void text(std::string_view value) override {
    separate();
    quoted(value);
  }
  void numbers(const JsonNumbers& row) override {
    open('[');
    for (std::size_t i = 0; i < row.count; ++i) {
      if (i > 0) out_ += ',';
      switch (row.type) {
        case JsonScalar::Bool:
          out_ += row.integer(i) ? "true" : "false";
          break;
        // Nine digits tell all floats apart, also when the reader parses them as doubles first.
        case JsonScalar::R32:
          append_float(static_cast<float>(row.real(i)));
          break;
        case JsonScalar::R16:
        case JsonScalar::R64:
          append(row.real(i));
          break;
        default:
          append(row.integer(i));
      }
    }
    close(']');
  }
  void reserve(std::size_t bytes) override { out_.reserve(bytes); }
  std::string take() override {
    if (indent_) out_ += '\n';
    return std::move(out_);
  }

 private:
  std::string out_;
  bool indent_;
  int depth_ = 0;
  bool first_ = true;

  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  void open(char bracket) {
    separate();
    if (indent_ && depth_ > 0) {
      out_ += '\n';
      out_.append(static_cast<std::size_t>(depth_), '\t');
    }
    out_ += bracket;
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    out_ += bracket;
    --depth_;
    first_ = false;
  }
  template <class T>
  void append(T value) {
    char buffer[40];
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value)) return append_special(value);
    }
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    out_.append(buffer, result.ptr);
  }
  void append_float(float value) {
    char buffer[40];
    if (!std::isfinite(value)) return append_special(value);
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 9);
    out_.append(buffer, result.ptr);
  }
  void append_special(double value) {
    if (std::signbit(value)) out_ += '-';
    out_ += std::isnan(value) ? "nan" : "inf";
  }
  void quoted(std::string_view value) {
    constexpr const char* digits = "0123456789abcdef";
    out_ += '"';
    for (const char c : value) {
      const auto code = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (c == '\n') {
        out_ += "\\n";
      } else if (c == '\t') {
        out_ += "\\t";
      } else if (code < 0x20) {
        out_ += "\\u00";
        out_ += digits[code >> 4];
        out_ += digits[code & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }
};

class BinaryWriter : public JsonWriter {
 public:
  BinaryWriter() { out_.assign("\x7fNSJb", 5); }

  void begin_array() override { out_ += '['; }
  void end_array() override { out_ += ']'; }
  void begin_object() override { out_ += '{'; }
  void end_object() override { out_ += '}'; }
  void key(std::string_view name) override { text(name); }
  void null() override { out_ += '\0'; }
  void boolean(bool value) override { out_ += value ? '\x31' : '\x30'; }
  void integer(std::int64_t value) override {
    if (value == static_cast<std::int8_t>(value)) {
      tagged(0x11, static_cast<std::int8_t>(value));
    } else if (value == static_cast<std::int16_t>(value)) {
      tagged(0x12, static_cast<std::int16_t>(value));
    } else if (value == static_cast<std::int32_t>(value)) {
      tagged(0x13, static_cast<std::int32_t>(value));
    } else {
      tagged(0x14, value);
    }
  }
  void real(double value) override { tagged(0x1a, value); }
  void text(std::string_view value) override {
    const auto [found, fresh] = tokens_.try_emplace(std::string(value), tokens_.size());
    if (fresh) {
      out_ += '\x2b';
      length(found->second);
      length(value.size());
      out_.append(value);
    }
    out_ += '\x26';
    length(found->second);
  }
  void numbers(const JsonNumbers& row) override {
    out_ += '\x40';
    out_ += static_cast<char>(row.type);
    length(row.count);
    out_.append(reinterpret_cast<const char*>(row.data), bytes_of(row.type, row.count));
  }
  void reserve(std::size_t bytes) override { out_.reserve(bytes); }
  std::string take() override { return std::move(out_); }

 private:
  std::string out_;
  std::unordered_map<std::string, std::size_t> tokens_;

  template <class T>
  void raw(T value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void tagged(int tag, T value) {
    out_ += static_cast<char>(tag);
    raw(value);
  }
  void length(std::size_t n) {
    if (n < 0xf1) {
      raw(static_cast<std::uint8_t>(n));
    } else if (n <= 0xffff) {
      tagged(0xf2, static_cast<std::uint16_t>(n));
    } else if (n <= 0xffffffff) {
      tagged(0xf4, static_cast<std::uint32_t>(n));
    } else {
      tagged(0xf8, static_cast<std::uint64_t>(n));
    }
  }
};

}  // namespace

void JsonWriter::booleans(const std::vector<std::uint8_t>& flags) {
  std::vector<std::uint32_t> words(flags.size() / 32 + 1);
  for (std::size_t i = 0; i < flags.size(); ++i) words[i / 32] |= std::uint32_t(flags[i] != 0) << (i % 32);
  numbers(JsonNumbers{JsonScalar::Bool, flags.size(), reinterpret_cast<const unsigned char*>(words.data()),
                      false, nullptr});
}

void JsonWriter::value(const JsonValue& value) {
  if (std::holds_alternative<std::monostate>(value.value)) {
    null();
  } else if (const auto* b = std::get_if<bool>(&value.value)) {
    boolean(*b);
  } else if (const auto* i = std::get_if<std::int64_t>(&value.value)) {
    integer(*i);
  } else if (const auto* d = std::get_if<double>(&value.value)) {
    real(*d);
  } else if (const auto* s = std::get_if<JsonText>(&value.value)) {
    text(s->view);
  } else if (const auto* row = std::get_if<JsonNumbers>(&value.value)) {
    begin_array();
    for (std::size_t k = 0; k < row->count; ++k) {
      if (row->type == JsonScalar::Bool) {
        boolean(row->integer(k) != 0);
      } else if (row->type == JsonScalar::R16 || row->type == JsonScalar::R32 ||
                 row->type == JsonScalar::R64) {
        real(row->real(k));
      } else {
        integer(row->integer(k));
      }
    }
    end_array();
  } else if (const auto* array = std::get_if<JsonArray>(&value.value)) {
    begin_array();
    for (const JsonValue& item : *array) this->value(item);
    end_array();
  } else {
    begin_object();
    for (const auto& [name, item] : std::get<JsonObject>(value.value)) {
      key(name.view);
      this->value(item);
    }
    end_object();
  }
}

std::unique_ptr<JsonWriter> make_json_text_writer(bool indent) {
  return std::make_unique<TextWriter>(indent);
}

std::unique_ptr<JsonWriter> make_json_binary_writer() {
  return std::make_unique<BinaryWriter>();
}

}  // namespace verve
