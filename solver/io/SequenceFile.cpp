#include "io/SequenceFile.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "base/FileBytes.h"
#include "formats/PointCache.h"
#include "formats/Usda.h"
#include "formats/Vtu.h"
#include "io/GeometryFile.h"

namespace verve {

namespace fs = std::filesystem;

namespace {

/// Files with a frame each.
class ManyFiles : public FrameSource {
 public:
  ManyFiles(std::vector<std::pair<int, std::string>> files, double fps, std::vector<std::string>* warnings)
      : files_(std::move(files)), fps_(fps > 0 ? fps : 24), warnings_(warnings) {}

  std::size_t count() const override { return files_.size(); }
  int frame(std::size_t i) const override { return files_[i].first; }
  double fps() const override { return fps_; }
  Geometry read(std::size_t i) const override {
    // The frames of a sequence leave out the same things: the first one speaks for all.
    return read_geometry(files_[i].second, i == 0 ? warnings_ : nullptr);
  }

 private:
  const std::vector<std::pair<int, std::string>> files_;
  const double fps_;
  std::vector<std::string>* const warnings_;
};

/// NAME.$F4.ENDING taken apart; nothing if there is no $F in the path.
struct Pattern {
  std::string folder, name, ending;
};

std::optional<Pattern> pattern_of(const std::string& path) {
  const std::string file = fs::path(path).filename().string();
  const std::size_t at = file.find(".$F");
  if (at == std::string::npos) return std::nullopt;
  const std::size_t rest = file.find('.', at + 1);
  if (rest == std::string::npos ||
      (file.substr(at, rest - at) != ".$F4" && file.substr(at, rest - at) != ".$F"))
    throw Error(path + ": write the number of the frame as name.$F4.ending");
  return Pattern{fs::path(path).parent_path().string(), file.substr(0, at), file.substr(rest + 1)};
}

std::unique_ptr<FrameSource> open_pattern(const std::string& path, const Pattern& p, double fps,
                                          std::vector<std::string>* warnings) {
  std::vector<std::pair<int, std::string>> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(p.folder.empty() ? "." : p.folder, error))
    if (const auto frame = frame_number(entry.path().filename().string(), p.name, p.ending))
      files.emplace_back(*frame, entry.path().string());
  if (files.empty()) throw Error(path + ": there are no such frames");
  std::sort(files.begin(), files.end());
  return std::make_unique<ManyFiles>(std::move(files), fps, warnings);
}

std::unique_ptr<FrameSource> open_pvd(const std::string& path, double fps,
                                      std::vector<std::string>* warnings) {
  const auto list = read_pvd(read_bytes(path));
  if (list.empty()) throw Error(path + ": the list names no files");
  std::vector<std::pair<int, std::string>> files;
  const double step = list.size() > 1 ? list[1].first - list[0].first : 0;
  if (fps <= 0) fps = step > 1e-6 ? std::round(1 / step) : 24;
  for (const auto& [time, file] : list) {
    const double frame = std::round(time * fps) + 1;
    if (!(std::abs(frame) < 1e9)) throw Error(path + ": a time is out of range");
    files.emplace_back(static_cast<int>(frame), (fs::path(path).parent_path() / file).string());
  }
  return std::make_unique<ManyFiles>(std::move(files), fps, warnings);
}

}  // namespace

std::string frame_path(const std::string& folder, const std::string& name, int frame,
                       const std::string& ending) {
  char number[16];
  std::snprintf(number, sizeof number, "%04d", frame);
  return (fs::path(folder) / (name + "." + number + "." + ending)).string();
}

std::optional<int> frame_number(const std::string& file, const std::string& name, const std::string& ending) {
  const std::string head = name + ".", tail = "." + ending;
  if (file.size() <= head.size() + tail.size() || file.compare(0, head.size(), head) != 0 ||
      file.compare(file.size() - tail.size(), tail.size(), tail) != 0)
    return std::nullopt;
  const std::string digits = file.substr(head.size(), file.size() - head.size() - tail.size());
  const std::size_t sign = digits[0] == '-';
  if (digits.size() == sign || digits.size() > 9 ||
      digits.find_first_not_of("0123456789", sign) != std::string::npos)
    return std::nullopt;
  return std::stoi(digits);
}

bool is_sequence_file(const std::string& ending) {
  check_geometry_ending(ending);
  return ending == "usda" || ending == "pc2" || ending == "mdd";
}

std::unique_ptr<FrameSource> open_sequence(const std::string& path, std::vector<std::string>* warnings,
                                           double fps) {
  if (const auto pattern = pattern_of(path)) return open_pattern(path, *pattern, fps, warnings);
  const std::string ending = geometry_ending(path);
  try {
    if (ending == "usda") return open_usda(read_bytes(path), warnings);
    if (ending == "pc2") return open_pc2(read_bytes(path), fps);
    if (ending == "mdd") return open_mdd(read_bytes(path), fps);
  } catch (const Error& error) {
    const std::string what = error.what();
    throw Error(what.compare(0, path.size(), path) == 0 ? what : path + ": " + what);
  }
  if (ending == "pvd") return open_pvd(path, fps, warnings);
  return std::make_unique<ManyFiles>(std::vector<std::pair<int, std::string>>{{1, path}}, fps, warnings);
}

void write_sequence(const std::string& path, const FrameSource& frames) {
  if (const auto p = pattern_of(path)) {
    for (std::size_t i = 0; i < frames.count(); ++i)
      write_geometry(frame_path(p->folder, p->name, frames.frame(i), p->ending), frames.read(i));
    return;
  }
  const std::string ending = geometry_ending(path);
  if (!is_sequence_file(ending)) {
    if (frames.count() != 1)
      throw Error(path + ": this format holds one frame, but there are " + std::to_string(frames.count()) +
                  "; write name.$F4." + ending);
    return write_geometry(path, frames.read(0));
  }
  NewFile out(path);
  if (ending == "usda") write_usda(frames, out);
  if (ending == "pc2") write_pc2(frames, out);
  if (ending == "mdd") write_mdd(frames, out);
  out.commit();
}

}  // namespace verve
