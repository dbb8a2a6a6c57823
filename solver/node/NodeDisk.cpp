#include "node/NodeDisk.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "io/SequenceFile.h"

namespace verve {
namespace fs = std::filesystem;

namespace {
constexpr const char* ending = "bgeo.sc";
constexpr const char* title = "verve inputs 1";
}  // namespace

NodeDisk::NodeDisk(const NodeSettings& settings) {
  const NodeSettings::Disk& disk = settings.disk;
  if (disk.folder.empty())
    throw Error("parameter 'Folder' (cachefolder) is empty; say where frames are kept");
  if (disk.name.empty() || disk.name.find('/') != std::string::npos)
    throw Error("parameter 'Name' (cachename) is '" + disk.name +
                "'; it must be a file's name without folders");
  const std::string version = "v" + std::to_string(disk.version);
  folder_ = (fs::path(disk.folder) / version).string();
  name_ = disk.name + "_" + version;
}

std::string NodeDisk::frame_file(int frame) const {
  return frame_path(folder_, name_, frame, ending);
}

SequenceSettings NodeDisk::sequence(double fps, int first_frame, int resume_from) const {
  SequenceSettings s;
  s.folder = folder_;
  s.name = name_;
  s.ending = ending;
  s.fps = fps;
  s.first_frame = first_frame;
  s.resume_from = resume_from;
  return s;
}

std::map<int, std::uint64_t> NodeDisk::frames() const {
  std::map<int, std::uint64_t> found;
  std::ifstream in(stem() + ".inputs");
  if (!in) return found;
  std::string line;
  std::getline(in, line);
  bool good = line == title;
  while (good && std::getline(in, line)) {
    std::istringstream words(line);
    int frame = 0;
    std::uint64_t inputs = 0;
    good = bool(words >> frame >> std::hex >> inputs);
    if (good) found[frame] = inputs;
  }
  if (!good)
    throw Error(stem() +
                ".inputs: this is not what Save to Disk writes; remove it, and save to the disk again");
  return found;
}

void NodeDisk::write_frames(const std::map<int, std::uint64_t>& frames) const {
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure) throw Error(folder_ + ": this folder cannot be made: " + failure.message());
  std::ostringstream list;
  list << title << "\n";
  for (const auto& [frame, inputs] : frames) list << std::dec << frame << " " << std::hex << inputs << "\n";
  write_bytes(stem() + ".inputs", list.str());
}

}  // namespace verve
