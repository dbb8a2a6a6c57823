#include "io/FileBytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/Error.h"

namespace verve {

namespace {

[[noreturn]] void fail(const std::string& path, const char* doing, int reason) {
  throw Error(path + ": cannot " + doing + ": " + std::strerror(reason));
}

/// Closes the file, and forgets nothing if an error is thrown on the way.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

std::string read_bytes(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) fail(path, "open the file", errno);
  struct stat info {};
  if (::fstat(file.fd, &info) != 0) fail(path, "look at the file", errno);
  if (!S_ISREG(info.st_mode)) throw Error(path + ": this is no file");
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::read(file.fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path, "read", errno);
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

std::string temporary_name(const std::string& path) {
  const std::filesystem::path p(path);
  return (p.parent_path() / ("." + p.filename().string() + ".part")).string();
}

void write_bytes(const std::string& path, std::string_view bytes) {
  const std::string part = temporary_name(path);
  int reason = 0;
  {
    Descriptor file{::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (file.fd < 0) fail(path, "create the file", errno);
    std::size_t done = 0;
    while (done < bytes.size() && reason == 0) {
      const ssize_t n = ::write(file.fd, bytes.data() + done, bytes.size() - done);
      if (n < 0 && errno != EINTR) reason = errno;
      if (n > 0) done += static_cast<std::size_t>(n);
    }
    if (reason == 0 && ::fsync(file.fd) != 0) reason = errno;
  }
  if (reason == 0 && std::rename(part.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) {
    ::unlink(part.c_str());
    fail(path, "write", reason);
  }
}

}  // namespace verve
