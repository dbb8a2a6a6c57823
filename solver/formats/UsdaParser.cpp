#include "formats/UsdaParser.h"

#include <algorithm>
#include <cmath>

#include "base/Error.h"
#include "formats/TextNumbers.h"

namespace verve {

namespace {

constexpr int kDeepest = 100;

/// Walks through the prims of a file and keeps the first mesh.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  UsdaFile parse() {
    if (text_.substr(0, 5) != "#usda")
      fail("the first line does not begin with #usda (a binary .usd is not read)");
    skip_space();
    if (peek() == '(') read_rate(balanced());
    while (skip_space(), at_ < text_.size()) statement(nullptr, 0);
    return std::move(file_);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  UsdaFile file_;

  [[noreturn]] void fail(const std::string& what) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw Error("line " + std::to_string(line) + ": " + what);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ';') {
        ++at_;
      } else {
        return;
      }
    }
  }

  /// Skips a string, a path or an asset; at_ stands on its first character.
  void skip_quoted() {
    const char open = text_[at_];
    const std::string triple(3, open);
    if (open != '<' && text_.substr(at_, 3) == triple) {
      const std::size_t end = text_.find(triple, at_ + 3);
      if (end == std::string_view::npos) fail("a string is not closed");
      at_ = end + 3;
      return;
    }
    const char close = open == '<' ? '>' : open;
    for (++at_; peek() != close; ++at_) {
      if (at_ < text_.size() && text_[at_] == '\\') ++at_;
      if (at_ >= text_.size()) fail("a string is not closed");
    }
    ++at_;
  }

  /// A value: everything up to its closing bracket, or one word.
  std::string_view balanced() {
    const std::size_t begin = at_;
    int open = 0;
    do {
      const char c = peek();
      if (c == '\0' && at_ >= text_.size()) fail("a bracket is not closed");
      if (c == '"' || c == '\'' || c == '@' || c == '<') {
        skip_quoted();
        continue;
      }
      if (c == '[' || c == '(' || c == '{') {
        ++open;
      } else if (c == ']' || c == ')' || c == '}') {
        --open;
      } else if (open == 0) {
        const std::size_t end = text_.find_first_of(" \t\r\n;,)]}", at_);
        at_ = std::min(end, text_.size());
        if (at_ == begin) fail("a value is missing");
        break;
      }
      ++at_;
    } while (open > 0);
    return text_.substr(begin, at_ - begin);
  }

  std::string word() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n=({})\"", at_), text_.size());
    const std::string result(text_.substr(at_, end - at_));
    at_ = end;
    return result;
  }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }

  void read_rate(std::string_view metadata) {
    const std::size_t found_at = metadata.find("timeCodesPerSecond");
    if (found_at == std::string_view::npos) return;
    metadata.remove_prefix(std::min(metadata.find('=', found_at), metadata.size()));
    while (!metadata.empty() && (metadata[0] == '=' || metadata[0] == ' ')) metadata.remove_prefix(1);
    double rate = 0;
    if (take_number(metadata, rate) && rate > 0 && rate < 1e6) file_.fps = rate;
  }

  void statement(UsdaPrim* prim, int depth) {
    if (depth > kDeepest) fail("prims are nested too deeply");
    std::vector<std::string> words;
    while (true) {
      skip_blanks();
      const char c = peek();
      if (c == '\0' || c == '\n' || c == '\r' || c == '=' || c == '(' || c == '{' || c == '"') break;
      words.push_back(word());
      if (words.back().empty()) fail("expected a prim or a property");
    }
    if (words.empty()) fail("expected a prim or a property");
    const std::string& first = words.front();
    if (first == "def" || first == "over" || first == "class") {
      block(words.size() > 1 ? words[1] : "", depth);
    } else if (first == "variantSet") {
      if (peek() == '"') skip_quoted();
      skip_blanks();
      if (peek() == '=') ++at_;
      skip_space();
      balanced();
    } else {
      property(words, prim);
    }
  }

  void block(const std::string& type, int depth) {
    if (peek() == '"') skip_quoted();
    skip_space();
    if (peek() == '(') balanced();
    skip_space();
    if (peek() != '{') fail("expected '{'");
    ++at_;
    UsdaPrim prim;
    while (skip_space(), peek() != '}') {
      if (at_ >= text_.size()) fail("a prim is not closed");
      statement(&prim, depth + 1);
    }
    ++at_;
    if (prim.find("xformOpOrder")) file_.transformed = true;
    if (type != "Mesh") return;
    if (file_.found) {
      ++file_.other_meshes;
    } else {
      file_.mesh = std::move(prim);
      file_.found = true;
    }
  }

  void property(const std::vector<std::string>& words, UsdaPrim* prim) {
    std::string name = words.back();
    const std::size_t dot = name.rfind('.');
    const std::string part = dot == std::string::npos ? "" : name.substr(dot + 1);
    if (dot != std::string::npos) name.erase(dot);
    UsdaProperty unused;
    UsdaProperty& p = prim ? prim->get(name) : unused;
    if (words.size() > 1) p.type = words[words.size() - 2];
    if (peek() == '=') {
      ++at_;
      skip_space();
      const std::string_view value = balanced();
      if (part == "timeSamples") {
        read_samples(value, p);
      } else if (part.empty()) {
        p.value = value;
      }
    }
    skip_blanks();
    if (peek() != '(') return;
    const std::string_view metadata = balanced();
    const std::size_t key = metadata.find("interpolation");
    const std::size_t open = key == std::string_view::npos ? key : metadata.find('"', key);
    if (open == std::string_view::npos) return;
    p.interpolation = metadata.substr(open + 1, metadata.find('"', open + 1) - open - 1);
  }

  static void read_samples(std::string_view block, UsdaProperty& p) {
    Parser inner(block);
    if (inner.peek() != '{') inner.fail("expected '{' after timeSamples");
    ++inner.at_;
    while (inner.skip_space(), inner.peek() != '}') {
      std::string_view rest = block.substr(inner.at_);
      double time = 0;
      if (!take_number(rest, time) || !std::isfinite(time)) inner.fail("expected a time");
      inner.at_ = block.size() - rest.size();
      inner.skip_space();
      if (inner.peek() != ':') inner.fail("expected ':' after a time");
      ++inner.at_;
      inner.skip_space();
      p.samples.emplace_back(time, inner.balanced());
      inner.skip_space();
      if (inner.peek() == ',') ++inner.at_;
      if (inner.at_ >= block.size()) inner.fail("time samples are not closed");
    }
    std::stable_sort(p.samples.begin(), p.samples.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }
};

}  // namespace

UsdaFile parse_usda(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace verve
