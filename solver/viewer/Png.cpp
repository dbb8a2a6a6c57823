#include "viewer/Png.h"

#include <zlib.h>

#include "base/FileBytes.h"
#include "viewer/Deflate.h"

namespace verve {
namespace {

void append_chunk(std::string& png, const char* type, const std::string& data) {
  const auto number = [&](std::uint32_t v) {
    for (int shift : {24, 16, 8, 0}) png += char(v >> shift & 255);
  };
  const std::string body = type + data;
  number(std::uint32_t(data.size()));
  png += body;
  number(std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()))));
}

std::string encode_png(const Picture& picture) {
  std::string rows;
  for (int y = 0; y < picture.height; ++y) {
    rows += '\0';
    rows.append(reinterpret_cast<const char*>(&picture.rgb[3 * std::size_t(y) * picture.width]),
                3 * std::size_t(picture.width));
  }
  std::string header;
  for (int value : {picture.width, picture.height})
    for (int shift : {24, 16, 8, 0}) header += char(value >> shift & 255);
  header += std::string("\x08\x02\x00\x00\x00", 5);
  std::string png = "\x89PNG\r\n\x1a\n";
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", deflated(rows));
  append_chunk(png, "IEND", "");
  return png;
}

}  // namespace

void write_png(const std::string& path, const Picture& picture) {
  write_bytes(path, encode_png(picture));
}

}  // namespace verve
