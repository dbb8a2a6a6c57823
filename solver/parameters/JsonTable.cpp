#include <cmath>

#include "parameters/Documents.h"
#include "parameters/SceneCheck.h"

namespace verve {
namespace {

const char* kind_name(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::number:
      return "number";
    case ParameterKind::integer:
      return "integer";
    case ParameterKind::toggle:
      return "toggle";
    case ParameterKind::text:
      return "text";
    case ParameterKind::menu:
      return "menu";
    case ParameterKind::vector:
      return "vector";
    case ParameterKind::numbers:
      return "numbers";
    case ParameterKind::scale:
      return "scale";
    case ParameterKind::object:
      return "object";
    case ParameterKind::list:
      return "list";
    case ParameterKind::other:
      break;
  }
  return "other";
}

Json to_json(const Parameter& p) {
  Json json = {{"path", p.path}, {"label", p.label}, {"kind", kind_name(p.kind)}};
  if (!p.fallback.empty()) json["default"] = Json::parse(p.fallback);
  if (std::isfinite(p.low)) json[p.above_low ? "above" : "min"] = p.low;
  if (std::isfinite(p.high)) json["max"] = p.high;
  if (p.size) json["size"] = p.size;
  if (!p.menu.empty()) json["menu"] = p.menu;
  if (!p.unit.empty()) json["unit"] = p.unit;
  if (!p.attribute.empty()) json["attribute"] = p.attribute;
  json["help"] = p.help;
  return json;
}

}  // namespace

std::string json_table() {
  Json list = Json::array();
  for (const Parameter& p : parameters()) list.push_back(to_json(p));
  return list.dump(2);
}

}  // namespace verve
