// Whole files in and out.
#pragma once

#include <string>
#include <string_view>

namespace verve {

/// The whole file; an Error that says why it cannot be read.
std::string read_bytes(const std::string& path);

/// Writes under a temporary name beside `path`, makes sure that the bytes are on the disk, then renames, so
/// that a reader sees the old file or the whole new one. On an Error (disk full, folder missing) nothing is
/// left behind.
void write_bytes(const std::string& path, std::string_view bytes);

/// The temporary name that write_bytes uses for `path`.
std::string temporary_name(const std::string& path);

}  // namespace verve
