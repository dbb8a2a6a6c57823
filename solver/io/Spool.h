// Frames on their way into a file that can only be written once all of them are known.
#pragma once

#include <string>
#include <vector>

#include "geometry/FrameSource.h"

namespace verve {

/// An append-only file of whole frames. A frame that was cut off by a crash is dropped when it is opened
/// again.
class Spool : public FrameSource {
 public:
  /// Opens or creates the file; keeps the frames below `end` that it holds, in order from its beginning.
  Spool(std::string path, double fps, int end);
  ~Spool() override;
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  void append(int frame, const Geometry& geometry);
  void remove();

  std::size_t count() const override { return entries_.size(); }
  int frame(std::size_t i) const override { return entries_[i].frame; }
  Geometry read(std::size_t i) const override;
  double fps() const override { return fps_; }

 private:
  struct Entry {
    int frame;
    std::size_t begin, size;
  };

  std::string path_;
  double fps_;
  int fd_ = -1;
  std::size_t end_ = 0;
  std::vector<Entry> entries_;

  void scan(int end);
  void read_at(std::size_t begin, std::size_t size, char* out) const;
};

}  // namespace verve
