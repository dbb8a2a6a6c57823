#include "io/SequenceWriter.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/FileBytes.h"
#include "formats/Vtu.h"
#include "io/GeometryFile.h"
#include "io/SequenceFile.h"
#include "io/Spool.h"

namespace verve {

namespace fs = std::filesystem;

namespace {

/// How many frames may wait for the disk before write() waits too.
constexpr std::size_t kQueue = 4;

/// Where frames go.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void add(int frame, const Geometry& geometry) = 0;
  virtual void close() = 0;
};

class FilePerFrame : public Sink {
 public:
  FilePerFrame(const SequenceSettings& settings, std::vector<int> kept)
      : settings_(settings), frames_(std::move(kept)) {}

  void add(int frame, const Geometry& geometry) override {
    write_geometry(frame_path(settings_.folder, settings_.name, frame, settings_.ending), geometry);
    frames_.push_back(frame);
    if (settings_.ending == "vtu") write_index();
  }
  void close() override {}

 private:
  const SequenceSettings settings_;
  std::vector<int> frames_;

  void write_index() const {
    std::vector<std::pair<double, std::string>> files;
    for (const int frame : frames_)
      files.emplace_back(
          (frame - settings_.first_frame) / settings_.fps,
          fs::path(frame_path("", settings_.name, frame, settings_.ending)).filename().string());
    write_bytes((fs::path(settings_.folder) / (settings_.name + ".pvd")).string(), write_pvd(files));
  }
};

/// All frames in one file, which can only be written at the end.
class OneFile : public Sink {
 public:
  OneFile(const SequenceSettings& settings, bool resume)
      : path_(path_of(settings)),
        spool_(spool_name(path_), settings.fps,
               resume ? settings.resume_from : std::numeric_limits<int>::min()) {
    // A run that was closed properly left the file itself: its frames go back into the spool.
    if (!resume || !fs::exists(path_)) return;
    const auto old = open_sequence(path_, nullptr, settings.fps);
    for (std::size_t i = 0; i < old->count() && old->frame(i) < settings.resume_from; ++i)
      if (spool_.count() == 0 || old->frame(i) > spool_.frame(spool_.count() - 1))
        spool_.append(old->frame(i), old->read(i));
  }

  static std::string path_of(const SequenceSettings& settings) {
    return (fs::path(settings.folder) / (settings.name + "." + settings.ending)).string();
  }
  static std::string spool_name(const std::string& path) { return temporary_name(path + ".frames"); }

  void add(int frame, const Geometry& geometry) override { spool_.append(frame, geometry); }
  void close() override {
    write_sequence(path_, spool_);
    spool_.remove();
  }

 private:
  const std::string path_;
  Spool spool_;
};

/// Removes what an earlier run left under temporary names, and the frames that this run will write. Gives
/// back the frames that stay.
std::vector<int> clear_away(const SequenceSettings& s, bool resume) {
  const std::string spool = fs::path(OneFile::spool_name(s.name + "." + s.ending)).filename().string();
  std::vector<int> kept;
  for (const fs::directory_entry& entry : fs::directory_iterator(s.folder)) {
    const std::string file = entry.path().filename().string();
    const bool part = file.compare(0, s.name.size() + 2, "." + s.name + ".") == 0 && file.size() > 5 &&
                      file.compare(file.size() - 5, 5, ".part") == 0;
    const auto frame = frame_number(file, s.name, s.ending);
    const bool whole = file == s.name + "." + s.ending || (s.ending == "vtu" && file == s.name + ".pvd");
    if (frame && resume && *frame < s.resume_from) {
      kept.push_back(*frame);
    } else if (frame || (part && !(resume && file == spool)) || (whole && !resume)) {
      fs::remove(entry.path());
    }
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

std::unique_ptr<Sink> make_sink(const SequenceSettings& settings) {
  try {
    fs::create_directories(settings.folder);
    const bool resume = settings.resume_from > settings.first_frame;
    std::vector<int> kept = clear_away(settings, resume);
    // Also says now, not after the first frame, whether the ending is known and the folder can be written.
    const bool single = is_sequence_file(settings.ending);
    { NewFile probe(frame_path(settings.folder, settings.name, settings.first_frame, settings.ending)); }
    if (single) return std::make_unique<OneFile>(settings, resume);
    return std::make_unique<FilePerFrame>(settings, std::move(kept));
  } catch (const fs::filesystem_error& error) {
    throw Error(settings.folder + ": cannot write the cache here: " + error.code().message());
  }
}

}  // namespace

struct SequenceWriter::Impl {
  explicit Impl(const SequenceSettings& settings) : sink(make_sink(settings)), thread([this] { run(); }) {}

  std::unique_ptr<Sink> sink;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::pair<int, std::function<Geometry()>>> queue;
  bool busy = false, stop = false, closed = false;
  std::optional<int> last;
  std::string error;
  std::thread thread;

  void run() {
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return stop || !queue.empty(); });
      if (queue.empty()) return;
      const auto [frame, make] = std::move(queue.front());
      queue.pop_front();
      if (error.empty()) {
        busy = true;
        lock.unlock();
        const std::string failed = attempt([&, frame = frame, &make = make] { sink->add(frame, make()); });
        lock.lock();
        busy = false;
        if (!failed.empty()) error = failed;
      }
      changed.notify_all();
    }
  }

  template <class F>
  static std::string attempt(F&& action) {
    try {
      action();
    } catch (const std::exception& failure) {
      return failure.what();
    }
    return "";
  }

  void throw_error() const {
    if (!error.empty()) throw Error(error);
  }
};

SequenceWriter::SequenceWriter(SequenceSettings settings) : impl_(std::make_unique<Impl>(settings)) {}

SequenceWriter::~SequenceWriter() {
  {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    impl_->stop = true;
  }
  impl_->changed.notify_all();
  impl_->thread.join();
}

void SequenceWriter::write(int frame, Geometry geometry) {
  write(frame, [geometry = std::move(geometry)]() mutable { return std::move(geometry); });
}

void SequenceWriter::write(int frame, std::function<Geometry()> make) {
  std::unique_lock<std::mutex> lock(impl_->mutex);
  impl_->changed.wait(lock, [&] { return impl_->queue.size() < kQueue || !impl_->error.empty(); });
  impl_->throw_error();
  if (impl_->last && frame <= *impl_->last)
    throw Error("frame " + std::to_string(frame) + " comes after frame " + std::to_string(*impl_->last));
  impl_->last = frame;
  impl_->queue.emplace_back(frame, std::move(make));
  lock.unlock();
  impl_->changed.notify_all();
}

void SequenceWriter::flush() {
  std::unique_lock<std::mutex> lock(impl_->mutex);
  impl_->changed.wait(lock, [&] { return impl_->queue.empty() && !impl_->busy; });
  impl_->throw_error();
}

void SequenceWriter::finish() {
  flush();
  if (impl_->closed) return;
  impl_->closed = true;
  impl_->error = Impl::attempt([&] { impl_->sink->close(); });
  impl_->throw_error();
}

std::optional<int> last_cached_frame(const SequenceSettings& settings) {
  std::optional<int> last;
  const auto found = [&](int frame) { last = std::max(last.value_or(frame), frame); };
  if (!is_sequence_file(settings.ending)) {
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(settings.folder, none))
      if (const auto frame = frame_number(entry.path().filename().string(), settings.name, settings.ending))
        found(*frame);
    return last;
  }
  const std::string path = OneFile::path_of(settings);
  const std::string spooled = OneFile::spool_name(path);
  if (fs::exists(spooled)) {
    const Spool spool(spooled, settings.fps, std::numeric_limits<int>::max());
    if (spool.count() > 0) found(spool.frame(spool.count() - 1));
  }
  if (fs::exists(path)) {
    const auto frames = open_sequence(path, nullptr, settings.fps);
    if (frames->count() > 0) found(frames->frame(frames->count() - 1));
  }
  return last;
}

}  // namespace verve
