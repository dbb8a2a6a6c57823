#include <cstdio>

#include "cli/Help.h"
#include "parameters/Parameters.h"

namespace verve {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Keys that --set and --vary take, with the first entry of every list.
std::vector<std::string> settable_keys() {
  std::vector<std::string> keys;
  for (const Parameter& p : parameters()) {
    if (p.kind == ParameterKind::object || p.kind == ParameterKind::list) continue;
    std::string key;
    for (char c : p.path) key += c == '[' ? std::string("[0") : std::string(1, c);
    keys.push_back(key);
  }
  return keys;
}

std::vector<std::string> names_of(const std::vector<CommandWords>& commands) {
  std::vector<std::string> names;
  for (const CommandWords& c : commands) names.push_back(c.name);
  return names;
}

std::string for_bash(const std::vector<CommandWords>& commands) {
  std::string script =
      "_verve() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options=\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"" +
      joined(names_of(commands)) +
      " --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $before in\n"
      "    --set|--vary)\n"
      "      compopt -o nospace\n"
      "      COMPREPLY=($(compgen -S = -W \"" +
      joined(settable_keys()) +
      "\" -- \"$word\"))\n"
      "      return ;;\n"
      "    help)\n"
      "      COMPREPLY=($(compgen -W \"" +
      joined(help_topics()) + " " + joined(names_of(commands)) +
      "\" -- \"$word\"))\n"
      "      return ;;\n"
      "    completion)\n"
      "      COMPREPLY=($(compgen -W \"bash zsh fish\" -- \"$word\"))\n"
      "      return ;;\n"
      "  esac\n"
      "  case ${COMP_WORDS[1]} in\n";
  for (const CommandWords& c : commands)
    script += "    " + c.name + ") options=\"" + joined(c.options) + "\" ;;\n";
  return script +
         "  esac\n"
         "  case $word in\n"
         "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
         "    *) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
         "  esac\n"
         "}\n"
         "complete -F _verve verve\n";
}

std::string for_fish(const std::vector<CommandWords>& commands) {
  std::string script;
  for (const CommandWords& c : commands) {
    script += "complete -c verve -n __fish_use_subcommand -f -a " + c.name + " -d '" + c.about + "'\n";
    for (const std::string& option : c.options)
      script +=
          "complete -c verve -n '__fish_seen_subcommand_from " + c.name + "' -l " + option.substr(2) + "\n";
  }
  script += "complete -c verve -n '__fish_seen_subcommand_from help' -f -a '" + joined(help_topics()) + "'\n";
  return script +
         "complete -c verve -n '__fish_seen_subcommand_from run wedge; and __fish_prev_arg_in --set "
         "--vary' -f -a '" +
         joined(settable_keys()) + "'\n";
}

}  // namespace

int completion_command(const std::string& shell, const std::vector<CommandWords>& commands) {
  std::string script = shell == "fish" ? for_fish(commands) : for_bash(commands);
  if (shell == "zsh") script = "autoload -U +X bashcompinit && bashcompinit\n" + script;
  std::fputs(script.c_str(), stdout);
  return 0;
}

}  // namespace verve
