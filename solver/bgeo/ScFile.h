// Houdini's .sc files: any file, compressed block by block with blosc.
#pragma once

#include <string>
#include <string_view>

namespace verve {

bool is_sc(std::string_view bytes);
/// LZ4 with byte shuffle in blocks of 1 MiB, as Houdini does. The same bytes every time.
std::string compress_sc(std::string_view raw);
/// An Error if the file is damaged.
std::string decompress_sc(std::string_view bytes);

}  // namespace verve
