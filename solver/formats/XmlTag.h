// Tags of XML, as far as VTK's files need them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace verve {

struct XmlTag {
  std::string name;
  std::map<std::string, std::string> attributes;
  /// What follows the tag up to the next one.
  std::string_view text;

  std::string get(const std::string& key, const std::string& otherwise = "") const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? otherwise : found->second;
  }
};

/// Takes the next tag from the front of `text`; nothing at the end. Throws an Error for one that does not
/// end.
std::optional<XmlTag> next_tag(std::string_view& text);

}  // namespace verve
