// verve params: the parameter table.
#include <cstdio>

#include "cli/Commands.h"
#include "cli/Help.h"
#include "parameters/Dialog.h"
#include "parameters/Documents.h"
#include "parameters/Parameters.h"

namespace verve {
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
    std::printf("%s\n", json_table().c_str());
  } else if (form == "python") {
    std::fputs(python_stubs().c_str(), stdout);
  } else {
    for (const Parameter& p : parameters()) print_parameter(p);
  }
  return 0;
}

}  // namespace verve
