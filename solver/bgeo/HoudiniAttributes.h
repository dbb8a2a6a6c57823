// The attributes of a Houdini file, in any of the encodings of their values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bgeo/HoudiniJson.h"
#include "geometry/Attribute.h"

namespace verve {

/// Limits what a file may unfold to. Constant pages and run lengths stand for many values, but a page has
/// 1024 elements, so an honest file never unfolds to much more than 1024 times its size.
class UnfoldLimit {
 public:
  explicit UnfoldLimit(std::size_t file_bytes)
      : left_((std::uint64_t(64) << 20) + 1100 * std::uint64_t(file_bytes)) {}
  /// Takes `count` items of `size` bytes from what is left; an Error if it is too much.
  void claim(std::uint64_t count, std::uint64_t size);

 private:
  std::uint64_t left_;
};

/// Decodes one attribute, [definition, data], of `elements` elements. Nothing if it is of a kind that Verve
/// has no place for; `warnings` then says so.
std::optional<Attribute> read_houdini_attribute(const JsonValue& item, std::size_t elements,
                                                UnfoldLimit& limit, std::vector<std::string>& warnings);

}  // namespace verve
