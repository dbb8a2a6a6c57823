#include "formats/Ply.h"

#include <cmath>
#include <cstdint>

#include "formats/MeshFileCursor.h"
#include "formats/MeshFileWriter.h"

namespace verve {
namespace {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct Property {
  std::string name;
  Type type = Type::float32;
  bool is_list = false;
  Type count = Type::uint8;  // of a list
};

struct Element {
  std::string name;
  std::int64_t count = 0;
  std::vector<Property> properties;
};

class PlyReader {
 public:
  explicit PlyReader(const std::string& path) : in_(path) {}

  MeshFile read() {
    read_header();
    for (const Element& element : elements_) {
      std::size_t least = 0;
      for (const Property& p : element.properties)
        least += binary_ ? size_of(p.is_list ? p.count : p.type) : 2;
      // The last number of a text file may stand without a space behind it.
      const std::size_t bytes = std::max<std::size_t>(1, least - (least > 0 && !binary_));
      const std::size_t count = in_.require_room(element.count, bytes, element.name.c_str());
      if (element.name == "vertex")
        read_points(element, count);
      else
        read_others(element, count);
    }
    if (file_.points.empty()) in_.fail("the file has no points");
    return std::move(file_);
  }

 private:
  static std::size_t size_of(Type type) {
    constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[int(type)];
  }

  Type type_of(std::string_view word) {
    constexpr const char* names[][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                        {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                        {"float", "float32"}, {"double", "float64"}};
    for (int i = 0; i < 8; ++i)
      if (word == names[i][0] || word == names[i][1]) return Type(i);
    in_.fail("unknown type of a property");
  }

  void read_header() {
    if (in_.word("ply") != "ply") in_.fail("not a .ply surface; the first word should be ply");
    bool format = false;
    while (true) {
      const std::string_view word = in_.word("the header's end");
      if (word == "end_header") break;
      if (word == "format") {
        const std::string_view kind = in_.word("the format");
        if (kind != "ascii" && kind != "binary_little_endian" && kind != "binary_big_endian")
          in_.fail("unknown format; save the surface as ascii or binary");
        binary_ = kind != "ascii";
        swapped_ = kind == "binary_big_endian";
        format = true;
      } else if (word == "element") {
        Element element;
        element.name = in_.word("an element's name");
        element.count = in_.integer("an element's count");
        elements_.push_back(element);
      } else if (word == "property") {
        if (elements_.empty()) in_.fail("a property stands before the first element");
        elements_.back().properties.push_back(read_property());
      } else if (word != "comment" && word != "obj_info") {
        in_.fail("unknown word in the header");
      }
      in_.line();
    }
    in_.line();
    if (!format) in_.fail("the header does not say which format the file has");
  }

  Property read_property() {
    Property property;
    std::string_view word = in_.word("a property's type");
    if (word == "list") {
      property.is_list = true;
      property.count = type_of(in_.word("a list's type"));
      word = in_.word("a list's type");
    }
    property.type = type_of(word);
    property.name = in_.word("a property's name");
    return property;
  }

  double value(Type type) {
    if (!binary_) return in_.number("a number");
    switch (type) {
      case Type::int8:
        return in_.binary<std::int8_t>("a number");
      case Type::uint8:
        return in_.binary<std::uint8_t>("a number");
      case Type::int16:
        return in_.binary<std::int16_t>("a number", swapped_);
      case Type::uint16:
        return in_.binary<std::uint16_t>("a number", swapped_);
      case Type::int32:
        return in_.binary<std::int32_t>("a number", swapped_);
      case Type::uint32:
        return in_.binary<std::uint32_t>("a number", swapped_);
      case Type::float32:
        return in_.binary<float>("a number", swapped_);
      case Type::float64:
        return in_.binary<double>("a number", swapped_);
    }
    return 0;
  }

  std::int64_t whole(Type type, const char* what) {
    const double v = value(type);
    if (!(std::abs(v) < 1e15) || v != std::floor(v)) in_.fail(std::string(what) + " is not a whole number");
    return std::int64_t(v);
  }

  std::size_t list_size(const Property& p) {
    return in_.require_room(whole(p.count, "the length of a list"), binary_ ? size_of(p.type) : 1,
                            "list entries");
  }

  void skip(const Property& p) {
    const std::size_t count = p.is_list ? list_size(p) : 1;
    for (std::size_t k = 0; k < count; ++k) value(p.type);
  }

  void read_points(const Element& element, std::size_t count) {
    bool found[3] = {false, false, false};
    for (const Property& p : element.properties)
      for (int axis = 0; axis < 3; ++axis) found[axis] |= p.name == std::string(1, char('x' + axis));
    if (!found[0] || !found[1] || !found[2]) in_.fail("the points have no x, y and z");
    for (std::size_t i = 0; i < count; ++i) {
      Vec3 position = Vec3::Zero();
      for (const Property& p : element.properties) {
        const bool axis = !p.is_list && p.name.size() == 1 && p.name[0] >= 'x' && p.name[0] <= 'z';
        if (axis)
          position[p.name[0] - 'x'] = value(p.type);
        else
          skip(p);
      }
      file_.points.push_back(position);
    }
  }

  void read_others(const Element& element, std::size_t count) {
    std::vector<int> corners;
    for (std::size_t i = 0; i < count; ++i)
      for (const Property& p : element.properties) {
        const bool face = element.name == "face" && p.is_list;
        if (!face || (p.name != "vertex_indices" && p.name != "vertex_index")) {
          skip(p);
          continue;
        }
        corners.clear();
        const std::size_t size = list_size(p);
        for (std::size_t k = 0; k < size; ++k)
          corners.push_back(in_.index(whole(p.type, "a corner"), 0, file_.points.size(), "face", i));
        add_polygon(file_, corners);
      }
  }

  MeshFileCursor in_;
  bool binary_ = false, swapped_ = false;
  std::vector<Element> elements_;
  MeshFile file_;
};

}  // namespace

MeshFile read_ply(const std::string& path) {
  return PlyReader(path).read();
}

void write_ply(const std::string& path, const TriangleMesh& mesh, bool binary) {
  MeshFileWriter out(path, binary);
  out.text(std::string("ply\nformat ") + (binary ? "binary_little_endian" : "ascii") +
           " 1.0\nelement vertex " + std::to_string(mesh.points.size()) +
           "\nproperty double x\nproperty double y\nproperty double z\nelement face " +
           std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n");
  for (const Vec3& p : mesh.points) out.values(p).end_row();
  for (const auto& t : mesh.triangles) {
    out.value(std::uint8_t(3));
    for (int p : t) out.value(std::int32_t(p));
    out.end_row();
  }
  out.close();
}

}  // namespace verve
