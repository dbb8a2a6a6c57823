// JSON text to values. Also takes what Houdini's and Python's writers emit beyond the standard: nan and
// infinity.
#include <charconv>
#include <cstring>
#include <limits>

#include "base/Error.h"
#include "bgeo/HoudiniJson.h"

namespace verve {

namespace {

constexpr int kDeepest = 200;

class TextParser {
 public:
  explicit TextParser(std::string_view text) : text_(text) {}

  JsonValue document() {
    JsonValue root = parse(0);
    skip_space();
    if (at_ != text_.size()) fail("more text after the end of the document");
    return root;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;

  [[noreturn]] void fail(const std::string& what) const {
    std::size_t line = 1;
    for (std::size_t i = 0; i < at_ && i < text_.size(); ++i) line += text_[i] == '\n';
    throw Error("line " + std::to_string(line) + ": " + what);
  }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }

  char next() {
    skip_space();
    if (at_ >= text_.size()) fail("the file ends too early");
    return text_[at_];
  }

  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  JsonValue parse(int depth) {
    if (depth > kDeepest) fail("brackets are nested too deeply");
    JsonValue result;
    const char c = next();
    if (c == '[') {
      ++at_;
      parse_array(result, depth);
    } else if (c == '{') {
      ++at_;
      parse_object(result, depth);
    } else if (c == '"') {
      result.value = parse_string();
    } else if (take("true")) {
      result.value = true;
    } else if (take("false")) {
      result.value = false;
    } else if (!take("null")) {
      parse_number(result);
    }
    return result;
  }

  void parse_object(JsonValue& result, int depth) {
    JsonObject object;
    if (next() == '}') {
      ++at_;
    } else {
      for (bool more = true; more;) {
        if (next() != '"') fail("expected a name in quotes");
        JsonText key = parse_string();
        if (next() != ':') fail("expected ':' after a name");
        ++at_;
        object.emplace_back(std::move(key), parse(depth + 1));
        more = separator('}');
      }
    }
    result.value = std::move(object);
  }

  /// After an entry: true if another follows, false once the bracket is closed.
  bool separator(char close) {
    const char c = next();
    if (c != ',' && c != close) fail(std::string("expected ',' or '") + close + "'");
    ++at_;
    return c == ',';
  }

  void parse_array(JsonValue& result, int depth) {
    if (next() == ']') {
      ++at_;
      result.value = JsonArray{};
      return;
    }
    // A row of numbers stays packed until something else turns up.
    auto whole = std::make_shared<std::vector<std::int64_t>>();
    auto real = std::make_shared<std::vector<double>>();
    bool more = true;
    while (more) {
      const char c = next();
      const bool number = c == '-' || c == '+' || c == '.' || (c >= '0' && c <= '9') || c == 'N' ||
                          c == 'I' || c == 'i' || text_.substr(at_, 3) == "nan";
      if (!number) break;
      JsonValue item;
      parse_number(item);
      if (const auto* i = std::get_if<std::int64_t>(&item.value)) {
        if (real->empty()) {
          whole->push_back(*i);
        } else {
          real->push_back(static_cast<double>(*i));
        }
      } else {
        if (real->empty()) {
          real->assign(whole->begin(), whole->end());
          whole->clear();
        }
        real->push_back(std::get<double>(item.value));
      }
      more = separator(']');
    }
    if (!more) {
      JsonNumbers numbers;
      numbers.type = real->empty() ? JsonScalar::I64 : JsonScalar::R64;
      numbers.count = real->empty() ? whole->size() : real->size();
      numbers.data = real->empty() ? reinterpret_cast<const unsigned char*>(whole->data())
                                   : reinterpret_cast<const unsigned char*>(real->data());
      numbers.buffer = real->empty() ? std::shared_ptr<const void>(whole) : std::shared_ptr<const void>(real);
      result.value = std::move(numbers);
      return;
    }
    JsonArray array;
    for (const std::int64_t i : *whole) array.emplace_back().value = i;
    for (const double d : *real) array.emplace_back().value = d;
    while (more) {
      array.push_back(parse(depth + 1));
      more = separator(']');
    }
    result.value = std::move(array);
  }

  void parse_number(JsonValue& result) {
    const bool negative = text_[at_] == '-';
    std::size_t begin = at_ + (text_[at_] == '+');
    std::size_t end = at_ + (negative || text_[at_] == '+');
    const std::string_view rest = text_.substr(end, 8);
    const bool is_nan = rest.substr(0, 3) == "nan" || rest.substr(0, 3) == "NaN";
    if (is_nan || rest.substr(0, 3) == "inf" || rest == "Infinity") {
      const double magnitude =
          is_nan ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
      at_ = end + (rest == "Infinity" ? 8 : 3);
      result.value = negative ? -magnitude : magnitude;
      return;
    }
    bool whole = true;
    while (end < text_.size() && std::strchr("0123456789+-.eE", text_[end]) && text_[end] != '\0') {
      whole = whole && text_[end] >= '0' && text_[end] <= '9';
      ++end;
    }
    const char* first = text_.data() + begin;
    const char* last = text_.data() + end;
    if (whole) {
      std::int64_t integer = 0;
      const auto [stop, error] = std::from_chars(first, last, integer);
      // "-0" is the real minus zero; too long a number is read as a real too.
      if (error == std::errc() && stop == last && !(negative && integer == 0)) {
        at_ = end;
        result.value = integer;
        return;
      }
    }
    double real = 0;
    const auto [stop, error] = std::from_chars(first, last, real);
    if (stop != last || first == last || error == std::errc::invalid_argument)
      fail("'" + std::string(text_.substr(at_, 12)) + "' is no value");
    if (error == std::errc::result_out_of_range) real = out_of_range(first, last);
    at_ = end;
    result.value = real;
  }

  /// Beyond the range of a double: infinity or zero, with the sign.
  static double out_of_range(const char* first, const char* last) {
    return std::strtod(std::string(first, last).c_str(), nullptr);
  }

  unsigned hex4() {
    unsigned code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (error != std::errc() || digits.size() != 4 || stop != digits.data() + 4) fail("bad \\u in a string");
    at_ += 4;
    return code;
  }

  JsonText parse_string() {
    ++at_;
    std::string result;
    for (bool plain = true;; plain = false) {
      const std::size_t stop = text_.find_first_of("\"\\", at_);
      if (stop == std::string_view::npos) fail("a string is not closed");
      if (plain && text_[stop] == '"') {
        const std::string_view view = text_.substr(at_, stop - at_);
        at_ = stop + 1;
        return {view, nullptr};
      }
      result.append(text_.substr(at_, stop - at_));
      at_ = stop + 1;
      if (text_[stop] == '"') {
        auto buffer = std::make_shared<const std::string>(std::move(result));
        return {*buffer, buffer};
      }
      if (at_ >= text_.size()) fail("a string is not closed");
      const char c = text_[at_++];
      switch (c) {
        case 'n':
          result += '\n';
          break;
        case 't':
          result += '\t';
          break;
        case 'r':
          result += '\r';
          break;
        case 'b':
          result += '\b';
          break;
        case 'f':
          result += '\f';
          break;
        case 'u':
          append_utf8(result);
          break;
        case '"':
        case '\\':
        case '/':
          result += c;
          break;
        default:
          fail(std::string("unknown '\\") + c + "' in a string");
      }
    }
  }

  void append_utf8(std::string& out) {
    unsigned code = hex4();
    if (code >= 0xd800 && code < 0xdc00 && take("\\u"))
      code = 0x10000 + ((code - 0xd800) << 10) + (hex4() & 0x3ff);
    if (code < 0x80) {
      out += static_cast<char>(code);
      return;
    }
    const int extra = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr unsigned lead[] = {0, 0xc0, 0xe0, 0xf0};
    out += static_cast<char>(lead[extra] | (code >> (6 * extra)));
    for (int k = extra - 1; k >= 0; --k) out += static_cast<char>(0x80 | ((code >> (6 * k)) & 0x3f));
  }
};

}  // namespace

JsonValue parse_json_text(std::string_view text) {
  return TextParser(text).document();
}

}  // namespace verve
