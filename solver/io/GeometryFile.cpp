#include "io/GeometryFile.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/FileBytes.h"
#include "bgeo/HoudiniFile.h"
#include "formats/Obj.h"
#include "formats/Vtu.h"
#include "io/SequenceFile.h"

namespace verve {

namespace {

/// A format with a file a frame. Those with one file for all frames go through SequenceFile.h.
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
    {"vtu", read_vtu, write_vtu},
    {"obj", read_obj, write_obj},
    {"usda", nullptr, nullptr},
    {"pc2", nullptr, nullptr},
    {"mdd", nullptr, nullptr},
};

const Format& format_of(const std::string& ending) {
  std::string known;
  for (const Format& format : kFormats) {
    if (ending == format.ending) return format;
    known += std::string(known.empty() ? "." : ", .") + format.ending;
  }
  throw Error((ending.empty() ? "a file without an ending" : "the ending '." + ending + "'") +
              " is not known; use one of " + known);
}

/// Calls f; an Error gets the file's name in front.
template <class F>
auto naming(const std::string& path, F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    const std::string what = error.what();
    throw Error(what.compare(0, path.size(), path) == 0 ? what : path + ": " + what);
  }
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

void check_geometry_ending(const std::string& ending) {
  format_of(ending);
}

Geometry read_geometry(const std::string& path, std::vector<std::string>* warnings) {
  return naming(path, [&] {
    const Format& format = format_of(geometry_ending(path));
    if (format.read) return format.read(read_bytes(path), warnings);
    const auto frames = open_sequence(path, warnings);
    if (frames->count() == 0) throw Error("there is no frame in the file");
    return frames->read(0);
  });
}

void write_geometry(const std::string& path, const Geometry& geometry) {
  naming(path, [&] {
    const Format& format = format_of(geometry_ending(path));
    if (format.write) {
      write_bytes(path, format.write(geometry));
    } else {
      write_sequence(path, OneFrame(geometry));
    }
  });
}

std::vector<std::string> left_out(const std::string& ending, const Geometry& g) {
  const std::string format = format_of(ending).ending;
  std::vector<std::string> lost;
  if (format == "bgeo.sc" || format == "bgeo" || format == "geo") return lost;
  const bool points_only = format == "pc2" || format == "mdd";
  const bool only_polygons = std::all_of(g.primitive_types.begin(), g.primitive_types.end(),
                                         [](PrimitiveType type) { return type == PrimitiveType::Polygon; });
  if (points_only && g.primitive_count() > 0)
    lost.push_back("." + format + " holds points only: " + std::to_string(g.primitive_count()) +
                   " primitives left out");
  if (format == "obj" &&
      std::count(g.primitive_types.begin(), g.primitive_types.end(), PrimitiveType::Tetrahedron) > 0)
    lost.push_back(".obj holds no tetrahedra: only their skin is written");
  std::string names;
  for (std::size_t o = 0; o < kOwners; ++o)
    for (const Attribute& a : g.attributes[o]) {
      const auto owner = static_cast<Owner>(o);
      const bool plain =
          !a.is_array() &&
          (format == "usda" ? a.tuple_size <= 4 && !std::holds_alternative<DictValues>(a.values)
                            : !a.is_text());
      const bool kept =
          (owner == Owner::Point && a.name == "P") || (format == "obj" && obj_keeps(g, owner, a)) ||
          (format == "vtu" && plain && owner != Owner::Vertex) ||
          (format == "usda" && plain && (only_polygons || owner == Owner::Point || owner == Owner::Detail));
      if (!kept) names += (names.empty() ? "" : ", ") + a.name;
    }
  if (!names.empty()) lost.push_back("." + format + " does not hold these attributes, left out: " + names);
  if (!g.groups.empty() || !g.edge_groups.empty())
    lost.push_back("." + format + " does not hold groups, left out");
  return lost;
}

}  // namespace verve
