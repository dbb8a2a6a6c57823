#include "parameters/SceneCheck.h"

#include <charconv>
#include <cmath>
#include <set>

#include "base/Error.h"
#include "base/Text.h"
#include "parameters/Parameters.h"

namespace verve {
namespace {

std::string shown(const Json& value) {
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

class Checker {
 public:
  explicit Checker(std::string source) : source_(std::move(source)) {}

  /// `path` as in the table, `place` as in the file (with the numbers of list entries).
  void object(Json& value, const std::string& path, const std::string& place) {
    if (!value.is_object()) fail(place, "must be an object { ... }, not " + shown(value));
    const std::vector<std::string> known = keys_under(path);
    for (auto& [key, entry] : value.items()) {
      const std::string inner = join(path, key), inner_place = join(place, key);
      const Parameter* p = find_parameter(inner);
      if (!p) throw Error(source_ + ": unknown key '" + inner_place + "'" + suggestion(key, known));
      this->entry(entry, *p, inner_place);
    }
    for (const std::string& key : known) {
      const Parameter& p = *find_parameter(join(path, key));
      if (value.contains(key) || p.fallback.empty()) continue;
      value[key] = Json::parse(p.fallback);
      if (p.kind == ParameterKind::object) object(value[key], p.path, join(place, key));
    }
  }

  void entry(Json& value, const Parameter& p, const std::string& place) {
    switch (p.kind) {
      case ParameterKind::number:
        number(value, p, place);
        break;
      case ParameterKind::integer:
        if (value.is_string() && !p.menu.empty()) {
          word(value.get<std::string>(), p, place);
          break;
        }
        if (!value.is_number() || value.get<double>() != std::floor(value.get<double>()))
          fail(place, "must be a whole number, not " + shown(value));
        number(value, p, place);
        break;
      case ParameterKind::toggle:
        if (!value.is_boolean()) fail(place, "must be true or false, not " + shown(value));
        break;
      case ParameterKind::text:
        if (!value.is_string()) fail(place, "must be text in quotes, not " + shown(value));
        break;
      case ParameterKind::menu:
        if (!value.is_string()) fail(place, "must be a word in quotes, not " + shown(value));
        word(value.get<std::string>(), p, place);
        break;
      case ParameterKind::vector:
        numbers(value, p, place, p.size);
        break;
      case ParameterKind::numbers:
        numbers(value, p, place, -1);
        break;
      case ParameterKind::scale:
        if (value.is_array())
          numbers(value, p, place, 3);
        else
          number(value, p, place);
        break;
      case ParameterKind::object:
        object(value, p.path, place);
        break;
      case ParameterKind::list:
        if (!value.is_array()) fail(place, "must be a list [ ... ], not " + shown(value));
        for (std::size_t i = 0; i < value.size(); ++i)
          object(value[i], p.path + "[]", place + "[" + std::to_string(i) + "]");
        break;
      case ParameterKind::other:
        break;
    }
  }

 private:
  void number(const Json& value, const Parameter& p, const std::string& place) {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      fail(place, "must be a number, not " + shown(value));
    const double v = value.get<double>();
    if (v < p.low || (p.above_low && v == p.low))
      fail(place,
           "is " + shown(value) + "; it must be " + (p.above_low ? "above " : "at least ") + shortest(p.low));
    if (v > p.high) fail(place, "is " + shown(value) + "; it must be at most " + shortest(p.high));
  }

  void numbers(const Json& value, const Parameter& p, const std::string& place, int size) {
    const std::string wanted =
        size < 0 ? "a list of numbers" : "a list of " + std::to_string(size) + " numbers";
    if (!value.is_array() || (size >= 0 && int(value.size()) != size))
      fail(place, "must be " + wanted + ", not " + shown(value));
    for (std::size_t i = 0; i < value.size(); ++i) number(value[i], p, place + "[" + std::to_string(i) + "]");
  }

  void word(const std::string& value, const Parameter& p, const std::string& place) {
    for (const std::string& known : p.menu)
      if (value == known) return;
    fail(place, "cannot be '" + value + "'" + suggestion(value, p.menu));
  }

  static std::string join(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
  }
  [[noreturn]] void fail(const std::string& place, const std::string& what) {
    if (source_.empty()) throw Error(place + " " + what);
    throw Error(source_ + ": '" + (place.empty() ? "the scene" : place) + "' " + what);
  }

  std::string source_;
};

}  // namespace

Json parse_json(const std::string& text, const std::string& source) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos) throw Error(source + ": the file is empty");
  if (text.find('\0') != std::string::npos || (text[start] != '{' && text[start] != '['))
    throw Error(source + ": not a JSON file; it would begin with {");
  // No scene nests deeply; a file that does would take the stack with it.
  constexpr int deepest = 32;
  std::vector<std::set<std::string>> seen;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > deepest) throw Error(source + ": nested too deeply for a scene");
    if (event == Json::parse_event_t::object_start) seen.emplace_back();
    if (event == Json::parse_event_t::object_end) seen.pop_back();
    if (event == Json::parse_event_t::key && !seen.back().insert(parsed.get<std::string>()).second)
      throw Error(source + ": the key '" + parsed.get<std::string>() + "' stands twice in the same object");
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::exception& error) {
    std::string what = error.what();
    const std::size_t at = what.find("] ");
    if (at != std::string::npos) what.erase(0, at + 2);
    // The message quotes the file; what cannot be printed stays out of it.
    for (char& c : what)
      if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
    throw Error(source + ": not a JSON file: " + what);
  }
}

namespace {

/// The words of a --set path: "bodies[0].mass" and "bodies.0.mass" are both bodies, 0, mass.
std::vector<std::string> words_of(const std::string& path) {
  std::vector<std::string> words(1);
  for (char c : path) {
    if (c == '.' || c == '[')
      words.emplace_back();
    else if (c != ']')
      words.back() += c;
  }
  return words;
}

bool is_whole(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

/// Whether a path in the words of people, such as bodies.0.mass, is one that scenes know.
bool is_known_path(const std::string& path) {
  std::string row;
  for (const std::string& word : words_of(path))
    row += is_whole(word) ? "[]" : (row.empty() ? "" : ".") + word;
  return find_parameter(row) != nullptr;
}

/// For the word at `bad`: the whole path with the nearest key there, or a key of that name elsewhere.
std::string setting_suggestion(const std::vector<std::string>& words, std::size_t bad,
                               const std::string& folder) {
  std::string before, after;
  for (std::size_t i = 0; i < bad; ++i) before += words[i] + ".";
  for (std::size_t i = bad + 1; i < words.size(); ++i) after += "." + words[i];
  const std::vector<std::string> keys = keys_under(folder);
  if (const std::string near = nearest(words[bad], keys);
      is_close(words[bad], near) && is_known_path(before + near + after))
    return "; did you mean '" + before + near + after + "'?";
  for (const Parameter& p : parameters()) {
    if (p.name() != words.back() || p.of_node()) continue;
    std::string path = p.path;
    for (std::size_t at; (at = path.find("[]")) != std::string::npos;) path.replace(at, 2, ".0");
    return "; did you mean '" + path + "'?";
  }
  // Nothing is near the whole of it: the keys that could stand there.
  std::string known;
  for (const std::string& key : keys) known += (known.empty() ? "; known are " : ", ") + before + key;
  return known;
}

/// A value as people type it: JSON, or a number that JSON would not have (.5, 5., +1), or else a word.
Json typed_value(const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  if (!value.is_discarded()) return value;
  const char* begin = text.data() + (text[0] == '+');
  double number = 0.0;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(number)) return number;
  return text;
}

}  // namespace

void apply_setting(Json& scene, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error("--set " + setting + ": give it as key.path=value, such as solver.tolerance=1e-6");
  const std::string text = setting.substr(equals + 1), key_path = setting.substr(0, equals);
  // "bodies[].settle" is that of every body.
  if (const std::size_t all = key_path.find("[]"); all != std::string::npos) {
    const std::string list = key_path.substr(0, all);
    const std::size_t count = scene.contains(list) && scene[list].is_array() ? scene[list].size() : 0;
    if (count == 0)
      throw Error("--set " + key_path + ": the scene has no entries in '" + list + "' to set it in");
    for (std::size_t i = 0; i < count; ++i)
      apply_setting(scene, list + "[" + std::to_string(i) + "]" + setting.substr(all + 2));
    return;
  }
  Json value = typed_value(text);

  Json* at = &scene;
  std::string path;
  bool untold = false;  // within what the table does not describe any further, such as a motion
  const std::vector<std::string> words = words_of(key_path);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (at->is_array()) {
      if (!is_whole(word) || word.size() > 9 || std::stoul(word) >= at->size())
        throw Error("--set " + key_path + ": '" + word + "' is no entry of that list; it has " +
                    std::to_string(at->size()) + ", counted from 0");
      path += "[]";
      at = &(*at)[std::stoul(word)];
      continue;
    }
    if (untold) {
      if (!at->is_object() && !(at->is_null() && !is_whole(word)))
        throw Error("--set " + key_path + ": the scene has nothing there that '" + word +
                    "' could be part of");
      at = &(*at)[word];
      continue;
    }
    const std::string inner = path.empty() ? word : path + "." + word;
    const Parameter* p = find_parameter(inner);
    if (!p) throw Error("--set: unknown key '" + key_path + "'" + setting_suggestion(words, i, path));
    if (!at->is_object() && !at->is_null())
      throw Error("--set " + key_path + ": the scene has no object there to set it in");
    if (!at->contains(word)) {
      (*at)[word] = p->fallback.empty() ? Json() : Json::parse(p->fallback);
      if (p->kind == ParameterKind::list && p->fallback.empty()) (*at)[word] = Json::array();
    }
    path = inner;
    at = &(*at)[word];
    untold = p->kind == ParameterKind::other;
  }
  *at = std::move(value);
}

void check_value(const Parameter& parameter, const Json& value, const std::string& place) {
  Json copy = value;
  Checker("").entry(copy, parameter, place);
}

void check_scene(Json& scene, const std::string& source) {
  Checker(source).object(scene, "", "");
}

}  // namespace verve
