// verve params: the parameter table.
#include <cmath>
#include <cstdio>

#include "base/Text.h"
#include "cli/Commands.h"
#include "cli/Help.h"
#include "parameters/Dialog.h"
#include "parameters/Documents.h"
#include "parameters/Parameters.h"
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

void print_parameter(const Parameter& p) {
  std::string head = p.path;
  if (!p.fallback.empty() && p.kind != ParameterKind::object && p.kind != ParameterKind::list)
    head += " = " + p.fallback;
  if (!p.unit.empty()) head += "  (" + p.unit + ")";
  std::printf("%s\n    %s\n", head.c_str(), p.help.c_str());
  if (!p.menu.empty()) {
    std::string words;
    for (const std::string& word : p.menu) words += (words.empty() ? "" : " | ") + word;
    std::printf("    %s\n", words.c_str());
  }
}

int params_command(const std::string& form) {
  if (form == "markdown") {
    std::fputs(markdown_table().c_str(), stdout);
  } else if (form == "dialog") {
    std::fputs(dialog_script().c_str(), stdout);
  } else if (form == "sop-help" || form == "dop-help") {
    std::fputs(help_card(form.substr(0, 3)).c_str(), stdout);
  } else if (form == "json") {
    Json list = Json::array();
    for (const Parameter& p : parameters()) list.push_back(to_json(p));
    std::printf("%s\n", list.dump(2).c_str());
  } else {
    for (const Parameter& p : parameters()) print_parameter(p);
  }
  return 0;
}

}  // namespace verve
