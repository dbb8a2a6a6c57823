#include "viewer/Deflate.h"

#include <zlib.h>

#include <limits>

#include "base/Error.h"

namespace verve {

std::string deflated(const std::string& bytes) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) throw Error("too much for one block of the page");
  uLongf size = compressBound(uLong(bytes.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(&packed[0]), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                uLong(bytes.size()), 6) != Z_OK)
    throw Error("the bytes could not be compressed");
  packed.resize(size);
  return packed;
}

std::string base64(const std::string& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  const auto byte = [&](std::size_t i) { return i < bytes.size() ? unsigned(bytes[i]) & 255u : 0u; };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += digits[three >> 18];
    text += digits[three >> 12 & 63];
    text += i + 1 < bytes.size() ? digits[three >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? digits[three & 63] : '=';
  }
  return text;
}

}  // namespace verve
