// Checks a scene's JSON against the parameter table and fills in what was left out.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "parameters/Parameters.h"

namespace verve {

using Json = nlohmann::ordered_json;

/// Parses text; an Error names `source` and the place of a mistake.
Json parse_json(const std::string& text, const std::string& source);

/// Applies "key.path=value" (as of --set; list entries by number: bodies.0.mass) to a scene. The value is
/// JSON, or plain text where that does not parse. Throws an Error for unknown keys.
void apply_setting(Json& scene, const std::string& setting);

/// Throws an Error with the nearest valid name for unknown keys and words, for values of the wrong kind and
/// out of range; adds the table's defaults.
void check_scene(Json& scene, const std::string& source);

/// The same for a single value, called `place` in messages.
void check_value(const Parameter& parameter, const Json& value, const std::string& place);

}  // namespace verve
