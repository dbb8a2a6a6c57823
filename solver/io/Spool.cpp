#include "io/Spool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/FileBytes.h"
#include "bgeo/HoudiniFile.h"

namespace verve {

namespace {

/// Before each frame and, once all of it is there, after it again.
struct Mark {
  std::uint64_t magic = 0x314c4f4f50535656;
  std::int64_t frame = 0;
  std::uint64_t size = 0;
};

}  // namespace

Spool::Spool(std::string path, double fps, int end) : path_(std::move(path)), fps_(fps) {
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0) file_error(path_, "create the file", errno);
  scan(end);
  if (::ftruncate(fd_, static_cast<off_t>(end_)) != 0) file_error(path_, "shorten the file", errno);
}

Spool::~Spool() {
  if (fd_ >= 0) ::close(fd_);
}

void Spool::remove() {
  ::unlink(path_.c_str());
}

void Spool::read_at(std::size_t begin, std::size_t size, char* out) const {
  while (size > 0) {
    const ssize_t n = ::pread(fd_, out, size, static_cast<off_t>(begin));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) file_error(path_, "read", n < 0 ? errno : EIO);
    begin += static_cast<std::size_t>(n);
    out += n;
    size -= static_cast<std::size_t>(n);
  }
}

void Spool::scan(int end) {
  struct stat info {};
  if (::fstat(fd_, &info) != 0) file_error(path_, "look at the file", errno);
  const auto total = static_cast<std::size_t>(info.st_size);
  while (total - end_ >= 2 * sizeof(Mark)) {
    Mark head, tail;
    read_at(end_, sizeof head, reinterpret_cast<char*>(&head));
    if (head.magic != Mark{}.magic || head.size > total - end_ - 2 * sizeof(Mark)) return;
    const auto size = static_cast<std::size_t>(head.size);
    read_at(end_ + sizeof head + size, sizeof tail, reinterpret_cast<char*>(&tail));
    if (std::memcmp(&head, &tail, sizeof head) != 0 || head.frame >= end) return;
    entries_.push_back({static_cast<int>(head.frame), end_ + sizeof head, size});
    end_ += 2 * sizeof(Mark) + size;
  }
}

void Spool::append(int frame, const Geometry& geometry) {
  const std::string bytes = write_houdini(geometry, HoudiniEncoding::Binary);
  const Mark mark{Mark{}.magic, frame, bytes.size()};
  const std::string_view marks(reinterpret_cast<const char*>(&mark), sizeof mark);
  if (::lseek(fd_, static_cast<off_t>(end_), SEEK_SET) < 0) file_error(path_, "write", errno);
  int reason = write_all(fd_, marks);
  if (reason == 0) reason = write_all(fd_, bytes);
  if (reason == 0) reason = write_all(fd_, marks);
  if (reason == 0 && ::fdatasync(fd_) != 0) reason = errno;
  if (reason != 0) {
    // What did not fit is taken back, so that the whole frames before it can still be used.
    if (::ftruncate(fd_, static_cast<off_t>(end_)) != 0) reason = errno;
    file_error(path_, "write", reason);
  }
  entries_.push_back({frame, end_ + sizeof mark, bytes.size()});
  end_ += 2 * sizeof mark + bytes.size();
}

Geometry Spool::read(std::size_t i) const {
  std::string bytes(entries_[i].size, '\0');
  read_at(entries_[i].begin, bytes.size(), bytes.data());
  return read_houdini(bytes, nullptr);
}

}  // namespace verve
