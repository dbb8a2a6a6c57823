#include "parameters/Dialog.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/Text.h"
#include "parameters/NodeParameters.h"

namespace verve {
namespace {

using Kind = ParameterKind;

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string type_of(const Parameter& p) {
  switch (p.kind) {
    case Kind::integer:
      return "integer";
    case Kind::toggle:
      return "toggle";
    case Kind::menu:
    case Kind::text:
      return "string";
    case Kind::vector:
      return "vector";
    default:
      return "float";
  }
}

std::string default_of(const DialogEntry& entry) {
  const auto value = nlohmann::ordered_json::parse(entry.fallback);
  if (value.is_boolean()) return value.get<bool>() ? "\"1\"" : "\"0\"";
  if (value.is_string()) return in_quotes(value.get<std::string>());
  std::string out;
  for (const auto& v : value.is_array() ? value : nlohmann::ordered_json::array({value}))
    out += (out.empty() ? "" : " ") + in_quotes(shortest(v.get<double>()));
  return out;
}

/// The ends of the slider; "!" after an end that no value may pass.
std::string range_of(const DialogEntry& entry) {
  const Parameter& p = *entry.parameter;
  if (p.kind != Kind::number && p.kind != Kind::integer) return "";
  const double value = nlohmann::ordered_json::parse(entry.fallback).get<double>();
  const bool low = std::isfinite(p.low), high = std::isfinite(p.high);
  const double from = low ? p.low : std::min(0.0, value);
  const double comfortable = value > from ? from + 10.0 * (value - from) : from + 10.0;
  const double to = high ? std::min(p.high, std::max(comfortable, 1.0)) : comfortable;
  return shortest(from) + (low && !p.above_low ? "!" : "") + " " + shortest(to) +
         (high && to == p.high ? "!" : "");
}

/// "integrator == hp" is disabled when integrator != hp.
std::string disable_when(const std::string& when) {
  const std::size_t equal = when.find("=="), other = when.find("!=");
  std::string inverse = when;
  if (equal != std::string::npos) inverse.replace(equal, 2, "!=");
  if (other != std::string::npos) inverse.replace(other, 2, "==");
  return "{ " + inverse + " }";
}

std::string parm(const DialogEntry& entry, const std::string& context, const std::string& indent) {
  const Parameter& p = *entry.parameter;
  std::string out = indent + "parm {\n";
  const auto line = [&](const std::string& text) { out += indent + "    " + text + "\n"; };
  line("name    " + in_quotes(entry.parm));
  line("label   " + in_quotes(entry.label));
  line("type    " + type_of(p));
  if (!entry.shown_in(context)) line("invisible");
  if (p.kind == Kind::vector) line("size    " + std::to_string(p.size));
  line("default { " + default_of(entry) + " }");
  if (!p.menu.empty()) {
    const std::vector<std::string> labels = entry.menu_labels();
    line("menu {");
    for (std::size_t i = 0; i < p.menu.size(); ++i)
      line("    " + in_quotes(p.menu[i]) + " " + in_quotes(labels[i]));
    line("}");
  }
  if (const std::string range = range_of(entry); !range.empty()) line("range   { " + range + " }");
  if (!entry.when.empty()) line("disablewhen " + in_quotes(disable_when(entry.when)));
  line("help    " + in_quotes(p.help + (p.unit.empty() ? "" : " (" + p.unit + ")")));
  return out + indent + "}\n";
}

/// What the SOP does when it is pressed; the DOP has no use for it.
std::string button(const std::string& indent, const char* name, const char* label, const char* help,
                   const std::string& context) {
  std::string out = indent + "parm {\n";
  const auto line = [&](const std::string& text) { out += indent + "    " + text + "\n"; };
  line("name    " + in_quotes(name));
  line("label   " + in_quotes(label));
  line("type    button");
  if (context != "sop") line("invisible");
  line("default { \"0\" }");
  line("help    " + in_quotes(help));
  return out + indent + "}\n";
}

}  // namespace

const char* save_to_disk_help() {
  return "Simulate from Start Frame to End Frame and write every frame. Interrupted, or in another session, "
         "it goes on from "
         "where it was if the inputs are still the same, and leaves the very frames of an unbroken run.";
}

std::string dialog_script(const std::string& context) {
  std::string out = "{\n    name    verve_solver\n";
  out +=
      button("    ", "resimulate", "Reset Simulation", "Forget all cached frames and begin anew.", context);
  const std::vector<DialogEntry>& entries = dialog_entries();
  std::string tab;
  for (const DialogEntry& entry : entries) {
    if (entry.tab != tab) {
      if (!tab.empty()) out += "    }\n";
      tab = entry.tab;
      std::string name = tab;
      name[0] = char(std::tolower(static_cast<unsigned char>(name[0])));
      out += "    group {\n        name    \"" + name + "_folder\"\n        label   " + in_quotes(tab) + "\n";
    }
    out += parm(entry, context, tab.empty() ? "    " : "        ");
    if (entry.parm == "loadfromdisk")
      out += button("        ", "savetodisk", "Save to Disk", save_to_disk_help(), context);
  }
  if (!tab.empty()) out += "    }\n";
  return out + "}\n";
}

}  // namespace verve
