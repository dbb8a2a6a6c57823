#include "io/GeometryFile.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "io/FileBytes.h"
#include "io/HoudiniFile.h"

namespace verve {

namespace {

struct Format {
  const char* ending;
  Geometry (*read)(std::string_view bytes, std::vector<std::string>* warnings);
  std::string (*write)(const Geometry& geometry);
};

const Format kFormats[] = {
    {"bgeo.sc", read_houdini,
     [](const Geometry& g) { return write_houdini(g, HoudiniEncoding::Compressed); }},
    {"bgeo", read_houdini, [](const Geometry& g) { return write_houdini(g, HoudiniEncoding::Binary); }},
    {"geo", read_houdini, [](const Geometry& g) { return write_houdini(g, HoudiniEncoding::Text); }},
};

const Format& format_of(const std::string& path) {
  const std::string ending = geometry_ending(path);
  std::string known;
  for (const Format& format : kFormats) {
    if (ending == format.ending) return format;
    known += std::string(known.empty() ? "." : ", .") + format.ending;
  }
  throw Error(path + ": the ending '." + ending + "' is not known; use one of " + known);
}

}  // namespace

std::string geometry_ending(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return "";
  std::string ending = name.substr(dot + 1);
  if (ending == "sc" && dot >= 5 && name.substr(dot - 5, 5) == ".bgeo") ending = "bgeo.sc";
  return ending;
}

Geometry read_geometry(const std::string& path, std::vector<std::string>* warnings) {
  const Format& format = format_of(path);
  const std::string bytes = read_bytes(path);
  try {
    return format.read(bytes, warnings);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

void write_geometry(const std::string& path, const Geometry& geometry) {
  const Format& format = format_of(path);
  std::string bytes;
  try {
    bytes = format.write(geometry);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
  write_bytes(path, bytes);
}

}  // namespace verve
