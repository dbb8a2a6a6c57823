#include "base/FileBytes.h"

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

struct OpenFile {
  int fd;
  ~OpenFile() {
    if (fd >= 0) ::close(fd);
  }
};

/// Makes a rename in the folder of `path` last through a power cut. Some network file systems cannot: no
/// harm.
void sync_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const OpenFile file{::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (file.fd >= 0) ::fsync(file.fd);
}

}  // namespace

void file_error(const std::string& path, const char* doing, int reason) {
  throw Error(path + ": cannot " + doing + ": " + std::strerror(reason));
}

std::string read_bytes(const std::string& path) {
  const OpenFile file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) file_error(path, "open the file", errno);
  struct stat info {};
  if (::fstat(file.fd, &info) != 0) file_error(path, "look at the file", errno);
  if (!S_ISREG(info.st_mode)) throw Error(path + ": this is no file");
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::read(file.fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) file_error(path, "read", errno);
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

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

NewFile::NewFile(std::string path) : path_(std::move(path)), part_(temporary_name(path_)) {
  fd_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) file_error(path_, "create the file", errno);
}

NewFile::~NewFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(part_.c_str());
}

void NewFile::append(std::string_view bytes) {
  if (const int reason = write_all(fd_, bytes)) file_error(path_, "write", reason);
}

void NewFile::commit() {
  if (::fsync(fd_) != 0 || std::rename(part_.c_str(), path_.c_str()) != 0) file_error(path_, "write", errno);
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0) file_error(path_, "write", errno);
  sync_folder(path_);
}

void write_bytes(const std::string& path, std::string_view bytes) {
  NewFile file(path);
  file.append(bytes);
  file.commit();
}

}  // namespace verve
