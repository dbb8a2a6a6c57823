#include "node/NodeDisk.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "base/Error.h"
#include "base/FileBytes.h"
#include "bgeo/HoudiniFile.h"

namespace verve {
namespace fs = std::filesystem;

namespace {
constexpr const char* ending = "bgeo";
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
  char number[16];
  std::snprintf(number, sizeof number, ".%04d.", frame);
  return stem() + number + ending;
}

void NodeDisk::write_frame(int frame, const Geometry& geometry) const {
  write_bytes(frame_file(frame), write_houdini(geometry, HoudiniEncoding::Binary));
}

Geometry NodeDisk::read_frame(int frame) const {
  try {
    return read_houdini(read_bytes(frame_file(frame)), nullptr);
  } catch (const Error& error) {
    const std::string said = error.what();
    throw Error(said.find(frame_file(frame)) == 0 ? said : frame_file(frame) + ": " + said);
  }
}

void NodeDisk::forget_from(int frame) const {
  std::error_code failure;
  const std::regex file(R"(.*\.(-?\d+)\.)" + std::string(ending));
  for (const auto& entry : fs::directory_iterator(folder_, failure)) {
    const std::string name = entry.path().filename().string();
    std::smatch number;
    if (name.rfind(name_ + ".", 0) == 0 && std::regex_match(name, number, file) &&
        std::stoi(number[1]) >= frame && entry.path() == fs::path(frame_file(std::stoi(number[1]))))
      fs::remove(entry.path(), failure);
  }
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
