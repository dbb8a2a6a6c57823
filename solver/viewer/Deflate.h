// Bytes made smaller, and bytes as text.
#pragma once

#include <string>

namespace verve {

/// In zlib's format, which PNG files and browsers (DecompressionStream "deflate") read.
std::string deflated(const std::string& bytes);

std::string base64(const std::string& bytes);

}  // namespace verve
