#include "run/BodyPoints.h"

#include <fcntl.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "simulation/Export.h"

namespace verve {
namespace {

constexpr std::size_t kHead = 32, kCount = 28;  // bytes of the header, and where it counts the frames

template <class T>
void append(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

}  // namespace

struct BodyPoints::File {
  std::string path;
  int fd = -1;
  std::size_t points = 0;
  std::int32_t frames = 0;

  std::size_t end() const { return kHead + 12 * points * std::size_t(frames); }

  void put(const std::string& bytes, std::size_t at) const {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t n = ::pwrite(fd, bytes.data() + done, bytes.size() - done, off_t(at + done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) file_error(path, "write", n < 0 ? errno : ENOSPC);
      done += std::size_t(n);
    }
  }
  void put_count() const {
    std::string count;
    append(count, frames);
    put(count, kCount);
  }
};

std::string BodyPoints::path(const std::string& folder, const std::string& name, const std::string& body) {
  std::string safe;
  for (char c : body)
    safe += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c < 0 ? c : '_';
  return (std::filesystem::path(folder) / (name + "." + safe + ".pc2")).string();
}

BodyPoints::BodyPoints(const Scene& scene, const std::string& folder, const std::string& name, int first,
                       int every, int resume_from)
    : scene_(scene) {
  std::set<std::string> paths;
  for (const Body& body : scene.bodies) {
    File file;
    file.path = path(folder, name, body.name);
    if (!paths.insert(file.path).second)
      throw Error("'output.points' needs a file for each body, but two bodies are called '" + body.name +
                  "' or nearly so");
    Vector x(3 * Eigen::Index(body.x.size()));
    for (std::size_t i = 0; i < body.x.size(); ++i) point(x, int(i)) = body.x[i];
    file.points = shown_points(body, x).size();
    const bool resume = resume_from > first;
    file.fd = ::open(file.path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (resume ? 0 : O_TRUNC), 0666);
    if (file.fd < 0) file_error(file.path, "open", errno);
    files_.push_back(file);
    std::string head("POINTCACHE2", 12);
    append(head, std::int32_t{1});
    append(head, std::int32_t(file.points));
    append(head, float(first));
    append(head, float(every));
    append(head, std::int32_t{0});
    if (resume) {
      std::string old(kHead, '\0');
      if (::pread(file.fd, old.data(), kHead, 0) == ssize_t(kHead))
        std::memcpy(&file.frames, old.data() + kCount, sizeof file.frames);
      const int kept = (resume_from - first + every - 1) / every;
      if (old.compare(0, kCount, head, 0, kCount) != 0 || file.frames < kept)
        throw Error(file.path + ": does not hold the frames before " + std::to_string(resume_from) +
                    " of this run; begin anew");
      file.frames = kept;
      file.put_count();
      if (::ftruncate(file.fd, off_t(file.end())) != 0) file_error(file.path, "write", errno);
    } else {
      file.put(head, 0);
    }
    files_.back().frames = file.frames;
  }
}

BodyPoints::~BodyPoints() {
  for (const File& file : files_) ::close(file.fd);
}

void BodyPoints::write(const Vector& all) {
  Eigen::Index first = 0;
  for (std::size_t b = 0; b < files_.size(); ++b) {
    const Body& body = scene_.bodies[b];
    const auto size = 3 * Eigen::Index(body.rest.size());
    std::string bytes;
    bytes.reserve(12 * files_[b].points);
    for (const Vec3& p : shown_points(body, all.segment(first, size)))
      for (int k = 0; k < 3; ++k) append(bytes, float(p[k]));
    files_[b].put(bytes, files_[b].end());
    ++files_[b].frames;
    files_[b].put_count();
    first += size;
  }
}

void BodyPoints::flush() {
  for (const File& file : files_)
    if (::fdatasync(file.fd) != 0 && errno != EINVAL) file_error(file.path, "write", errno);
}

}  // namespace verve
