#include "formats/XmlTag.h"

#include <algorithm>

#include "base/Error.h"

namespace verve {
namespace {

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool found = false;
    for (const auto& [code, c] : {std::pair("&amp;", '&'), std::pair("&lt;", '<'), std::pair("&gt;", '>'),
                                  std::pair("&quot;", '"'), std::pair("&apos;", '\'')}) {
      if (text.compare(i, std::string_view(code).size(), code) != 0) continue;
      result += c;
      i += std::string_view(code).size() - 1;
      found = true;
      break;
    }
    if (!found) result += text[i];
  }
  return result;
}

}  // namespace

std::optional<XmlTag> next_tag(std::string_view& text) {
  const std::size_t open = text.find('<');
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t close = text.find('>', open);
  if (close == std::string_view::npos) throw Error("a tag is not closed; the file is damaged");
  std::string_view inside = text.substr(open + 1, close - open - 1);
  text.remove_prefix(close + 1);
  XmlTag tag;
  const std::size_t end = std::min(inside.find_first_of(" \t\r\n/", 1), inside.size());
  tag.name = inside.substr(0, end);
  inside.remove_prefix(end);
  while (true) {
    const std::size_t equals = inside.find('=');
    const std::size_t quote = equals == std::string_view::npos ? equals : inside.find_first_of("\"'", equals);
    if (quote == std::string_view::npos) break;
    const std::size_t last = inside.find(inside[quote], quote + 1);
    if (last == std::string_view::npos) throw Error("a tag is damaged");
    std::string_view key = inside.substr(0, equals);
    const std::size_t begin = key.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) throw Error("a tag is damaged");
    key = key.substr(begin, key.find_last_not_of(" \t\r\n") - begin + 1);
    tag.attributes[std::string(key)] = unescaped(inside.substr(quote + 1, last - quote - 1));
    inside.remove_prefix(last + 1);
  }
  tag.text = text.substr(0, text.find('<'));
  return tag;
}

}  // namespace verve
