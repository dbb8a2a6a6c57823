#include "scene/SceneValues.h"

#include <algorithm>
#include <cmath>

#include "base/Error.h"
#include "base/Text.h"

namespace verve {

Vec3 vec3(const Json& json) {
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

Transform read_transform(const Json& json, const std::string& place) {
  Transform t;
  if (!json.is_object()) throw Error("'" + place + "' must be a transform { ... }, not " + json.dump());
  for (const auto& [key, value] : json.items()) {
    const bool three = value.is_array() && value.size() == 3 &&
                       std::all_of(value.begin(), value.end(), [](const Json& c) { return c.is_number(); });
    if (key == "scale" && value.is_number()) {
      t.scale.setConstant(value.get<double>());
    } else if (key == "translate" || key == "rotate" || key == "scale") {
      if (!three) throw Error("'" + place + "." + key + "' must be a list of 3 numbers, not " + value.dump());
      (key == "translate" ? t.translate : key == "rotate" ? t.rotate : t.scale) = vec3(value);
    } else {
      throw Error("unknown key '" + place + "." + key + "'" +
                  suggestion(key, {"translate", "rotate", "scale"}));
    }
  }
  return t;
}

Motion read_motion(const Json& json, const std::string& place) {
  if (!json.is_object() || !json.contains("keys") || !json["keys"].is_array() || json["keys"].empty())
    throw Error("'" + place + "' must be {\"keys\": [[time, {transform}], ...]}, not " + json.dump());
  for (const auto& [key, value] : json.items())
    if (key != "keys") throw Error("unknown key '" + place + "." + key + "'" + suggestion(key, {"keys"}));
  std::vector<Motion::Key> keys;
  for (std::size_t i = 0; i < json["keys"].size(); ++i) {
    const Json& key = json["keys"][i];
    const std::string at = place + ".keys[" + std::to_string(i) + "]";
    if (!key.is_array() || key.size() != 2 || !key[0].is_number())
      throw Error("'" + at + "' must be [time, {transform}], not " + key.dump());
    const double time = key[0];
    if (!keys.empty() && !(time > keys.back().time))
      throw Error("'" + at + "' is not later than the key before it");
    keys.push_back({time, read_transform(key[1], at)});
  }
  return Motion(std::move(keys));
}

KeyedNumber read_keyed(const Json& json, const std::string& place) {
  if (json.is_number() && std::isfinite(json.get<double>())) return json.get<double>();
  if (!json.is_object() || !json.contains("keys") || json.size() != 1 || !json["keys"].is_array() ||
      json["keys"].empty())
    throw Error("'" + place + "' must be a number or {\"keys\": [[time, number], ...]}, not " + json.dump());
  KeyedNumber number;
  number.keys.clear();
  for (const Json& key : json["keys"]) {
    const std::string at = place + ".keys[" + std::to_string(number.keys.size()) + "]";
    if (!key.is_array() || key.size() != 2 || !key[0].is_number() || !key[1].is_number())
      throw Error("'" + at + "' must be [time, number], not " + key.dump());
    if (!number.keys.empty() && !(key[0] > number.keys.back().time))
      throw Error("'" + at + "' is not later than the key before it");
    number.keys.push_back({key[0], key[1]});
  }
  return number;
}

}  // namespace verve
