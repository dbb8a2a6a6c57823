#include "formats/PointCache.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace verve {

namespace {

constexpr char kMagic[] = "POINTCACHE2";
constexpr std::size_t kPc2Head = 32;

template <class T>
void append(std::string& out, T value, bool big) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  if (big) std::reverse(bytes, bytes + sizeof(T));
  out.append(bytes, sizeof(T));
}

template <class T>
T value_at(const std::string& bytes, std::size_t at, bool big) {
  char raw[sizeof(T)];
  std::memcpy(raw, bytes.data() + at, sizeof(T));
  if (big) std::reverse(raw, raw + sizeof(T));
  T value;
  std::memcpy(&value, raw, sizeof(T));
  return value;
}

void append_points(const FrameSource& frames, std::size_t i, int points, bool big, NewFile& out) {
  const Geometry g = frames.read(i);
  if (g.point_count != points)
    throw Error("frame " + std::to_string(frames.frame(i)) + " has " + std::to_string(g.point_count) +
                " points, but the first frame has " + std::to_string(points) +
                "; this format needs the same points in each frame (bgeo.sc does not)");
  const Vector x = g.positions();
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(x.size()) * 4);
  for (const double value : x) append(bytes, static_cast<float>(value), big);
  out.append(bytes);
}

class PointFrames : public FrameSource {
 public:
  PointFrames(std::string bytes, std::size_t head, std::size_t points, std::vector<int> frames, double fps,
              bool big)
      : bytes_(std::move(bytes)),
        head_(head),
        points_(points),
        frames_(std::move(frames)),
        fps_(fps),
        big_(big) {}

  std::size_t count() const override { return frames_.size(); }
  int frame(std::size_t i) const override { return frames_[i]; }
  double fps() const override { return fps_; }
  Geometry read(std::size_t i) const override {
    Geometry g;
    g.point_count = static_cast<int>(points_);
    auto& p = g.add<float>(Owner::Point, "P", 3, "point");
    const std::size_t begin = head_ + i * points_ * 12;
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = value_at<float>(bytes_, begin + 4 * k, big_);
    return g;
  }

 private:
  const std::string bytes_;
  const std::size_t head_, points_;
  const std::vector<int> frames_;
  const double fps_;
  const bool big_;
};

/// Checks the numbers of a header against the bytes that follow it.
void check_size(std::int64_t points, std::int64_t frames, std::size_t bytes_left) {
  if (points < 0 || frames < 0) throw Error("the header is damaged");
  if (points > 0 &&
      static_cast<std::uint64_t>(frames) > bytes_left / (12 * static_cast<std::uint64_t>(points)))
    throw Error("the file is shorter than its header says; it is damaged");
}

}  // namespace

void write_pc2(const FrameSource& frames, NewFile& out) {
  const std::size_t n = frames.count();
  const int points = n > 0 ? frames.read(0).point_count : 0;
  const int first = n > 0 ? frames.frame(0) : 1, step = n > 1 ? frames.frame(1) - first : 1;
  std::string head(kMagic, 12);
  append(head, std::int32_t{1}, false);
  append(head, static_cast<std::int32_t>(points), false);
  append(head, static_cast<float>(first), false);
  append(head, static_cast<float>(step), false);
  append(head, static_cast<std::int32_t>(n), false);
  out.append(head);
  for (std::size_t i = 0; i < n; ++i) {
    if (frames.frame(i) != first + static_cast<int>(i) * step)
      throw Error("frame " + std::to_string(frames.frame(i)) +
                  " is not as far from the last one as the others are; this format needs an even spacing");
    append_points(frames, i, points, false, out);
  }
}

std::unique_ptr<FrameSource> open_pc2(std::string bytes, double fps) {
  if (bytes.size() < kPc2Head || std::memcmp(bytes.data(), kMagic, 12) != 0)
    throw Error("this is no PC2 point cache");
  const auto points = value_at<std::int32_t>(bytes, 16, false),
             count = value_at<std::int32_t>(bytes, 28, false);
  const auto first = value_at<float>(bytes, 20, false), step = value_at<float>(bytes, 24, false);
  check_size(points, count, bytes.size() - kPc2Head);
  if (!(std::abs(first) < 1e6f) || !(std::abs(step) < 1e6f)) throw Error("the header is damaged");
  // Without points the bytes do not bound the number of frames.
  std::vector<int> frames(points > 0 ? static_cast<std::size_t>(count) : 0);
  for (std::size_t i = 0; i < frames.size(); ++i)
    frames[i] = static_cast<int>(std::lround(first + static_cast<double>(i) * step));
  return std::make_unique<PointFrames>(std::move(bytes), kPc2Head, static_cast<std::size_t>(points),
                                       std::move(frames), fps > 0 ? fps : 24, false);
}

void write_mdd(const FrameSource& frames, NewFile& out) {
  const std::size_t n = frames.count();
  const int points = n > 0 ? frames.read(0).point_count : 0;
  std::string head;
  append(head, static_cast<std::int32_t>(n), true);
  append(head, static_cast<std::int32_t>(points), true);
  for (std::size_t i = 0; i < n; ++i) append(head, static_cast<float>(frames.frame(i) / frames.fps()), true);
  out.append(head);
  for (std::size_t i = 0; i < n; ++i) append_points(frames, i, points, true, out);
}

std::unique_ptr<FrameSource> open_mdd(std::string bytes, double fps) {
  if (bytes.size() < 8) throw Error("this is no MDD point cache");
  const auto count = value_at<std::int32_t>(bytes, 0, true), points = value_at<std::int32_t>(bytes, 4, true);
  if (count < 0 || static_cast<std::size_t>(count) > (bytes.size() - 8) / 4)
    throw Error("the header is damaged, or this is no MDD point cache");
  const std::size_t head = 8 + 4 * static_cast<std::size_t>(count);
  check_size(points, count, bytes.size() - head);
  const auto time = [&](std::size_t i) {
    return static_cast<double>(value_at<float>(bytes, 8 + 4 * i, true));
  };
  const double step = count > 1 ? time(1) - time(0) : 0;
  if (fps <= 0) fps = step > 1e-6 ? std::round(1 / step) : 24;
  std::vector<int> frames(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const double frame = std::round(time(i) * fps);
    if (!(std::abs(frame) < 1e9)) throw Error("the times of the frames are damaged");
    frames[i] = static_cast<int>(frame);
  }
  return std::make_unique<PointFrames>(std::move(bytes), head, static_cast<std::size_t>(points),
                                       std::move(frames), fps, true);
}

}  // namespace verve
