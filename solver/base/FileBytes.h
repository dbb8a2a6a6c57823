// Whole files in and out. Nothing half-written is ever seen under a file's own name.
#pragma once

#include <string>
#include <string_view>

namespace verve {

/// The whole file; an Error that says why it cannot be read.
std::string read_bytes(const std::string& path);

/// A file that comes into being at once: it grows under a temporary name in the same folder and takes its own
/// name when all of it is on the disk. Until then, and after an Error (disk full, folder missing), nothing is
/// left.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void append(std::string_view bytes);
  void commit();

 private:
  std::string path_, part_;
  int fd_ = -1;
};

/// The whole file at once, as NewFile does.
void write_bytes(const std::string& path, std::string_view bytes);

/// The temporary name of `path`: hidden, beside it, and ending in ".part".
std::string temporary_name(const std::string& path);

/// Writes all of `bytes` to an open file; 0, or the error's number.
int write_all(int fd, std::string_view bytes);

/// Throws an Error such as "frame.bgeo: cannot write: No space left on device".
[[noreturn]] void file_error(const std::string& path, const char* doing, int reason);

}  // namespace verve
