// The data arrays of VTK's XML files: text, base64 or raw, packed or not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/XmlTag.h"
#include "geometry/Attribute.h"

namespace verve {

/// How a file has its arrays, and where those stand that come after all tags.
class VtuArrays {
 public:
  bool compressed = false, big_endian = false, long_header = false, appended_base64 = false;
  std::string_view appended;

  /// The numbers of an array; unsigned ones become the next larger signed ones.
  Values decode(const XmlTag& tag) const;

 private:
  /// The bytes of an array that is not text.
  std::string raw_bytes(const XmlTag& tag) const;
  std::size_t header_bytes() const;
  /// A number of the header that stands before the data of an array.
  std::uint64_t header(const std::string& bytes, std::size_t entry) const;
  /// Compressed arrays: the number of blocks, the size of a whole one and of the last, the packed size of
  /// each, then the blocks. As base64 the header is a text of its own.
  std::string unpacked(std::string_view from, bool base64) const;
  template <class T>
  std::vector<T> decode_as(const XmlTag& tag) const;
};

/// The number that a text is. Throws an Error that it is no such thing as `what`.
std::size_t whole_number(const std::string& text, const char* what);

}  // namespace verve
