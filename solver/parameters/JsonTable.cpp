#include <cmath>

#include "energy/Fabrics.h"
#include "parameters/Documents.h"
#include "parameters/MaterialPresets.h"
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

/// What the words of a menu stand for: by word, values at paths of a body. Hosts show them beside the menu.
Json presets_of(const std::string& path) {
  Json words = Json::object();
  const std::string material = "bodies[].material.";
  if (path == "node.softpreset")
    for (const SoftPreset& p : soft_presets())
      words[p.name] = {
          {material + "young", p.young}, {material + "poisson", p.poisson}, {"bodies[].density", p.density}};
  if (path == material + "fabric")
    for (const Fabric& f : fabrics())
      words[f.name] = {{material + "warp", f.warp},           {material + "weft", f.weft},
                       {material + "shear", f.shear},         {material + "bend", f.bend},
                       {material + "bend_weft", f.bend_weft}, {material + "poisson", f.poisson},
                       {"bodies[].density", f.density}};
  return words;
}

Json to_json(const Parameter& p) {
  Json json = {{"path", p.path}, {"label", p.label}, {"kind", kind_name(p.kind)}};
  if (!p.fallback.empty()) json["default"] = Json::parse(p.fallback);
  if (std::isfinite(p.low)) json[p.above_low ? "above" : "min"] = p.low;
  if (std::isfinite(p.high)) json["max"] = p.high;
  if (p.size) json["size"] = p.size;
  if (!p.menu.empty()) json["menu"] = p.menu;
  if (const Json presets = presets_of(p.path); !presets.empty()) json["presets"] = presets;
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
