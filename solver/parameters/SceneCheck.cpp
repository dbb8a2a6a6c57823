#include "parameters/SceneCheck.h"

#include <cmath>

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

 private:
  void entry(Json& value, const Parameter& p, const std::string& place) {
    switch (p.kind) {
      case ParameterKind::number:
        number(value, p, place);
        break;
      case ParameterKind::integer:
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
    throw Error(source_ + ": '" + (place.empty() ? "the scene" : place) + "' " + what);
  }

  std::string source_;
};

}  // namespace

Json parse_json(const std::string& text, const std::string& source) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    std::string what = error.what();
    const std::size_t at = what.find("] ");
    throw Error(source + ": not a JSON file: " + (at == std::string::npos ? what : what.substr(at + 2)));
  }
}

void apply_setting(Json& scene, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error("--set " + setting + ": give it as key.path=value, such as solver.tolerance=1e-6");
  const std::string text = setting.substr(equals + 1);
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) value = text;

  Json* at = &scene;
  std::string path;
  std::size_t begin = 0;
  const std::string key_path = setting.substr(0, equals);
  while (begin <= key_path.size()) {
    const std::size_t end = std::min(key_path.find_first_of(".[", begin), key_path.size());
    std::string word = key_path.substr(begin, end - begin);
    begin = end + 1;
    if (!word.empty() && word.back() == ']') word.pop_back();
    if (word.empty() && begin <= key_path.size()) continue;  // "a[0].b" has nothing between ] and .
    if (at->is_array()) {
      if (word.empty() || word.find_first_not_of("0123456789") != std::string::npos || word.size() > 9 ||
          std::stoul(word) >= at->size())
        throw Error("--set " + key_path + ": '" + word + "' is no entry of that list; it has " +
                    std::to_string(at->size()) + ", counted from 0");
      path += "[]";
      at = &(*at)[std::stoul(word)];
      continue;
    }
    const std::string inner = path.empty() ? word : path + "." + word;
    const Parameter* p = find_parameter(inner);
    if (!p) throw Error("--set: unknown key '" + key_path + "'" + suggestion(word, keys_under(path)));
    if (!at->is_object() && !at->is_null())
      throw Error("--set " + key_path + ": the scene has no object there to set it in");
    if (!at->contains(word)) (*at)[word] = p->kind == ParameterKind::list ? Json::array() : Json();
    path = inner;
    at = &(*at)[word];
  }
  *at = std::move(value);
}

void check_scene(Json& scene, const std::string& source) {
  Checker(source).object(scene, "", "");
}

}  // namespace verve
