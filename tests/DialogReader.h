// Reads dialog scripts, as strictly as the part of the language that Verve uses allows: a checker for the
// ones that are generated and for those of the digital assets.
#pragma once

#include <cctype>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/Error.h"

namespace verve::test {

struct DialogParm {
  std::string name, label, type, help, folder;
  std::vector<std::string> defaults, menu;
  bool invisible = false;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

class DialogReader {
 public:
  explicit DialogReader(const std::string& text) : text_(text) {}

  std::vector<DialogParm> read() {
    expect("{");
    body("");
    if (!peek().empty()) fail("text after the end");
    return std::move(parms_);
  }

 private:
  /// A word, a quoted text (with its opening quote), a brace, or nothing at the end.
  std::string next() {
    while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) || text_[at_] == '#'))
      if (text_[at_] == '#')
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      else
        ++at_;
    if (at_ == text_.size()) return "";
    if (text_[at_] == '{' || text_[at_] == '}') return std::string(1, text_[at_++]);
    std::string word;
    if (text_[at_] == '"') {
      word = text_[at_++];
      for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        if (text_[at_] == '\\') ++at_;
        word += text_[at_];
      }
      if (at_++ >= text_.size()) fail("a quote that is not closed");
      return word;
    }
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_])) && text_[at_] != '{' &&
           text_[at_] != '}')
      word += text_[at_++];
    return word;
  }
  std::string peek() {
    const std::size_t before = at_;
    const std::string word = next();
    at_ = before;
    return word;
  }
  std::string value() {
    std::string word = next();
    if (word.empty() || word == "{" || word == "}") fail("a value is missing");
    return word[0] == '"' ? word.substr(1) : word;
  }
  void expect(const std::string& word) {
    if (next() != word) fail("'" + word + "' is missing");
  }
  std::vector<std::string> list() {
    expect("{");
    std::vector<std::string> words;
    while (peek() != "}") words.push_back(value());
    next();
    return words;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error("dialog script, character " + std::to_string(at_) + ": " + what);
  }

  void body(const std::string& folder) {
    for (;;) {
      const std::string word = next();
      if (word == "}") return;
      if (word == "name" || word == "label" || word == "script")
        value();
      else if (word == "help" && peek() == "{")
        list();
      else if (word == "grouptag")
        list();
      else if (word == "input" || word == "inputlabel")
        value(), value();
      else if (word == "parm")
        parm(folder);
      else if (word == "group")
        group();
      else
        fail(word.empty() ? "a brace is not closed" : "unknown word '" + word + "'");
    }
  }

  void group() {
    expect("{");
    expect("name");
    const std::string name = value();
    expect("label");
    value();
    body(name);
  }

  void parm(const std::string& folder) {
    expect("{");
    DialogParm p;
    p.folder = folder;
    for (;;) {
      const std::string word = next();
      if (word == "}") break;
      if (word == "name")
        p.name = value();
      else if (word == "label")
        p.label = value();
      else if (word == "type")
        p.type = value();
      else if (word == "size")
        size_ = std::stoul(value());
      else if (word == "help")
        p.help = value();
      else if (word == "default")
        p.defaults = list();
      else if (word == "disablewhen" || word == "hidewhen")
        value();
      else if (word == "invisible")
        p.invisible = true;
      else if (word == "joinnext" || word == "nolabel")
        continue;
      else if (word == "parmtag" || word == "menutoggle")
        list();
      else if (word == "range")
        range(p, list());
      else if (word == "menu") {
        const std::vector<std::string> words = list();
        if (words.size() % 2) fail("a menu of '" + p.name + "' without a label for every word");
        for (std::size_t i = 0; i < words.size(); i += 2) p.menu.push_back(words[i]);
      } else {
        fail(word.empty() ? "a brace is not closed" : "unknown word '" + word + "' in a parm");
      }
    }
    const std::vector<std::string> types = {"integer", "float",  "toggle", "string",
                                            "vector",  "button", "ordinal"};
    bool known = false;
    for (const std::string& type : types) known |= type == p.type;
    if (!known) fail("'" + p.name + "' has the unknown type '" + p.type + "'");
    if (p.name.empty() || p.label.empty()) fail("a parm without name or label");
    for (char c : p.name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_')
        fail("'" + p.name + "' is no name of a parm");
    if (p.type == "vector" && p.defaults.size() != size_)
      fail("'" + p.name + "' has not a default for every axis");
    parms_.push_back(std::move(p));
  }

  void range(DialogParm& p, const std::vector<std::string>& ends) {
    if (ends.size() != 2) fail("a range has two ends");
    p.low = std::stod(ends[0]);
    p.high = std::stod(ends[1]);
    if (!(p.low < p.high)) fail("'" + p.name + "' has an empty range");
  }

  const std::string& text_;
  std::size_t at_ = 0, size_ = 1;
  std::vector<DialogParm> parms_;
};

inline std::vector<DialogParm> read_dialog(const std::string& text) {
  return DialogReader(text).read();
}

}  // namespace verve::test
