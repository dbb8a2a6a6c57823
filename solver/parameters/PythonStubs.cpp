#include <algorithm>
#include <cctype>

#include "parameters/Documents.h"
#include "parameters/Parameters.h"

namespace verve {
namespace {

/// "bodies[].targets[]" is BodyTarget, "" is Scene.
std::string class_name(const std::string& path) {
  if (path.empty()) return "Scene";
  std::string name, word;
  const auto end_word = [&](bool listed) {
    if (listed && word.size() > 3 && word.compare(word.size() - 3, 3, "ies") == 0)
      word.replace(word.size() - 3, 3, "y");
    else if (listed && word.back() == 's')
      word.pop_back();
    if (!word.empty()) word[0] = char(std::toupper(static_cast<unsigned char>(word[0])));
    name += word;
    word.clear();
  };
  for (std::size_t i = 0; i <= path.size(); ++i) {
    if (i == path.size() || path[i] == '.')
      end_word(i >= 2 && path[i - 1] == ']');
    else if (path[i] != '[' && path[i] != ']')
      word += path[i];
  }
  return name;
}

std::string literal(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "\"" : ", \"") + word + "\"";
  return "Literal[" + text + "]";
}

std::string type_of(const Parameter& p) {
  switch (p.kind) {
    case ParameterKind::number:
      return "float";
    case ParameterKind::integer:
      return p.menu.empty() ? "int" : "Union[int, " + literal(p.menu) + "]";
    case ParameterKind::toggle:
      return "bool";
    case ParameterKind::text:
      return p.name() == "animation" ? "Union[str, ArrayLike]" : "str";
    case ParameterKind::menu:
      return literal(p.menu);
    case ParameterKind::vector:
    case ParameterKind::numbers:
      return "Sequence[float]";
    case ParameterKind::scale:
      return "Union[float, Sequence[float]]";
    case ParameterKind::object:
      return class_name(p.path);
    case ParameterKind::list:
      return "Sequence[" + class_name(p.path + "[]") + "]";
    case ParameterKind::other:
      break;
  }
  return "Any";
}

/// What stands in the place of a file: arrays.
const char* const arrays =
    "    points: ArrayLike\n    tets: ArrayLike\n    polygons: Any\n    lines: Any\n"
    "    attributes: Mapping[str, ArrayLike]\n";

/// Whether Python has this word for itself.
bool is_keyword(const std::string& word) {
  static const std::vector<std::string> words = {
      "and",    "as",  "assert",  "break", "class",  "continue", "def",    "del",  "elif", "else",
      "except", "for", "finally", "from",  "global", "if",       "import", "in",   "is",   "lambda",
      "not",    "or",  "pass",    "raise", "return", "try",      "while",  "with", "yield"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A functional form serves keys that are words of Python, such as "from".
void add_class(const std::string& path, const std::string& help, std::string& out) {
  std::string inner, body, reserved;
  for (const Parameter& p : parameters()) {
    if (p.folder() != path || p.of_node()) continue;
    if (p.kind == ParameterKind::object) add_class(p.path, p.help, out);
    if (p.kind == ParameterKind::list) add_class(p.path + "[]", p.help, out);
    if (is_keyword(p.name())) {
      reserved += (reserved.empty() ? "\"" : ", \"") + p.name() + "\": " + type_of(p);
      continue;
    }
    body += "    " + p.name() + ": " + type_of(p) + "\n    \"\"\"" + p.help;
    if (!p.unit.empty()) body += " In " + p.unit + ".";
    body += "\"\"\"\n";
  }
  const std::string name = class_name(path);
  if (path == "bodies[].geometry" || path == "colliders[]") body += arrays;
  std::string base = "TypedDict";
  if (!reserved.empty()) {
    base = "_" + name;
    out += base + " = TypedDict(\"" + base + "\", {" + reserved + "}, total=False)\n\n";
  }
  out += "class " + name + "(" + base + ", total=False):\n    \"\"\"" + help + "\"\"\"\n" + body + "\n";
}

}  // namespace

std::string python_stubs() {
  std::string out;
  add_class("", "Everything that a scene may say; SI units.", out);
  return out;
}

}  // namespace verve
