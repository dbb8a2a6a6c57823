#include <algorithm>
#include <cmath>
#include <map>

#include "formats/TextNumbers.h"
#include "formats/Usda.h"
#include "formats/UsdaParser.h"

namespace verve {

namespace {

template <class T>
std::vector<T> numbers(std::string_view text) {
  std::vector<T> result;
  while (true) {
    const std::size_t begin = text.find_first_not_of("[](), \t\r\n");
    if (begin == std::string_view::npos) return result;
    text.remove_prefix(begin);
    if (!take_number(text, result.emplace_back()))
      throw Error("'" + std::string(text.substr(0, 12)) + "' is no number that fits here");
  }
}

StringValues strings(std::string_view text) {
  StringValues result;
  std::map<std::string, int> known;
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1)) {
    std::string item;
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\' && at + 1 < text.size())
        ++at, item += text[at] == 'n' ? '\n' : text[at];
      else
        item += text[at];
    }
    const auto [found, fresh] = known.try_emplace(item, static_cast<int>(result.table.size()));
    if (fresh) result.table.push_back(item);
    result.indices.push_back(found->second);
  }
  return result;
}

/// The attribute that a property stands for; false if its type is not known.
bool decode(const std::string& type, std::string_view text, Attribute& a) {
  std::string base = type;
  if (base.size() > 2 && base.substr(base.size() - 2) == "[]") base.erase(base.size() - 2);
  if (base == "string" || base == "token") {
    a.values = strings(text);
    return true;
  }
  for (const char* role : {"point", "vector", "normal", "color"})
    for (const auto& [letter, plain] :
         {std::pair("f", "float"), std::pair("d", "double"), std::pair("h", "half")})
      if (base == std::string(role) + "3" + letter) {
        a.type_info = role;
        base = std::string(plain) + "3";
      }
  for (const char* size : {"2", "3"})
    for (const auto& [letter, plain] :
         {std::pair("f", "float"), std::pair("d", "double"), std::pair("h", "half")})
      if (base == std::string("texCoord") + size + letter) {
        a.type_info = "texturecoord";
        base = std::string(plain) + size;
      }
  const char last = base.empty() ? '\0' : base.back();
  if (base != "int64" && last >= '2' && last <= '4') {
    a.tuple_size = last - '0';
    base.pop_back();
  }
  if (base == "float") {
    a.values = numbers<float>(text);
  } else if (base == "double") {
    a.values = numbers<double>(text);
  } else if (base == "half") {
    std::vector<Half> halves;
    for (const float value : numbers<float>(text)) halves.emplace_back(value);
    a.values = std::move(halves);
  } else if (base == "int") {
    a.values = numbers<std::int32_t>(text);
  } else if (base == "int64") {
    a.values = numbers<std::int64_t>(text);
  } else if (base == "uchar") {
    a.values = numbers<std::uint8_t>(text);
  } else {
    return false;
  }
  return true;
}

class UsdaFrames : public FrameSource {
 public:
  UsdaFrames(std::string bytes, std::vector<std::string>* warnings) : bytes_(std::move(bytes)) {
    UsdaFile file = parse_usda(bytes_);
    if (!file.found) throw Error("there is no Mesh in the file");
    mesh_ = std::move(file.mesh);
    fps_ = file.fps;
    for (const auto& [time, text] : mesh_.get("points").samples) {
      if (std::abs(time) > 1e9) throw Error("a time sample is out of range");
      const int frame = static_cast<int>(std::lround(time));
      if (times_.empty() || frame > frames_.back()) {
        frames_.push_back(frame);
        times_.push_back(time);
      }
    }
    if (times_.empty()) times_ = {1}, frames_ = {1};
    if (!warnings) return;
    if (file.other_meshes > 0)
      warnings->push_back(std::to_string(file.other_meshes) + " more meshes in the file left out");
    if (file.transformed) warnings->push_back("the transforms in the file are not applied");
    std::vector<std::string> found;
    build(times_[0], &found);
    warnings->insert(warnings->end(), found.begin(), found.end());
  }

  std::size_t count() const override { return frames_.size(); }
  int frame(std::size_t i) const override { return frames_[i]; }
  double fps() const override { return fps_; }
  Geometry read(std::size_t i) const override { return build(times_[i], nullptr); }

 private:
  const std::string bytes_;
  UsdaPrim mesh_;
  double fps_ = 24;
  std::vector<double> times_;
  std::vector<int> frames_;

  std::string_view text(const char* name, double time) const {
    const UsdaProperty* found = mesh_.find(name);
    return found ? found->at(time) : std::string_view{};
  }

  Geometry build(double time, std::vector<std::string>* warnings) const {
    Geometry g;
    std::vector<float> p = numbers<float>(text("points", time));
    if (p.size() % 3 != 0) throw Error("the points of the mesh are not triples of numbers");
    g.point_count = static_cast<int>(p.size() / 3);
    g.add<float>(Owner::Point, "P", 3, "point") = std::move(p);
    add_primitives(g, time);
    for (const auto& [name, property] : mesh_.properties) {
      const UsdaProperty* indices = mesh_.find(name + ":indices");
      add_attribute(g, name, property, indices ? indices->at(time) : std::string_view{}, time, warnings);
    }
    check(g);
    if (text("orientation", time) == "\"leftHanded\"") reorder_vertices(g, reversed_vertices(g));
    return g;
  }

  static void append(Geometry& g, PrimitiveType type, const std::vector<int>& points, std::size_t& at,
                     int n) {
    if (n < 1 || static_cast<std::size_t>(n) > points.size() - at)
      throw Error("the faces of the mesh do not fit its list of points");
    g.add_primitive(type, points.data() + at, n);
    at += static_cast<std::size_t>(n);
  }

  void add_primitives(Geometry& g, double time) const {
    const std::vector<int> counts = numbers<int>(text("faceVertexCounts", time));
    const std::vector<int> indices = numbers<int>(text("faceVertexIndices", time));
    const std::vector<int> polygons = numbers<int>(text("verve:polygons", time));
    const std::size_t faces = polygons.empty() ? counts.size() : static_cast<std::size_t>(polygons[0]);
    if (faces > counts.size()) throw Error("the mesh has fewer faces than it announces");
    std::size_t at = 0;
    for (std::size_t i = 0; i < faces; ++i) append(g, PrimitiveType::Polygon, indices, at, counts[i]);
    const std::vector<int> tets = numbers<int>(text("verve:tetrahedra", time));
    for (at = 0; at < tets.size();) append(g, PrimitiveType::Tetrahedron, tets, at, 4);
    const std::vector<int> points = numbers<int>(text("verve:polylinePoints", time));
    at = 0;
    for (const int n : numbers<int>(text("verve:polylineCounts", time)))
      append(g, PrimitiveType::Polyline, points, at, n);
  }

  /// Replaces the values by those that `indices` chooses from them; an Error if one is not there.
  static void choose(Attribute& a, const std::string& name, std::string_view indices) {
    const std::vector<int> chosen = numbers<int>(indices);
    const auto values = a.size() / static_cast<std::size_t>(a.tuple_size);
    for (const int i : chosen)
      if (i < 0 || static_cast<std::size_t>(i) >= values)
        throw Error("property '" + name + ":indices' refers to value " + std::to_string(i) + " of " +
                    std::to_string(values));
    select_elements(a, chosen);
  }

  /// Texture coordinates have three numbers, as Houdini has them; the third is 0.
  static void deepen(Attribute& a) {
    if (a.tuple_size != 2) return;
    std::vector<float> triples;
    for (std::size_t i = 0; i + 1 < a.size(); i += 2)
      triples.insert(triples.end(),
                     {static_cast<float>(a.number(i)), static_cast<float>(a.number(i + 1)), 0});
    a.values = std::move(triples);
    a.tuple_size = 3;
  }

  static void add_attribute(Geometry& g, const std::string& name, const UsdaProperty& property,
                            std::string_view indices, double time, std::vector<std::string>* warnings) {
    const bool primvar = name.compare(0, 9, "primvars:") == 0;
    if (primvar && name.size() > 17 && name.compare(name.size() - 8, 8, ":indices") == 0) return;
    if (!primvar && name != "velocities" && name != "normals") return;
    Attribute a;
    a.name = name == "velocities"              ? "v"
             : name == "normals"               ? "N"
             : name == "primvars:displayColor" ? "Cd"
             : name == "primvars:st"           ? "uv"
                                               : name.substr(9);
    const std::string& where = property.interpolation;
    const Owner owner = where == "faceVarying"                              ? Owner::Vertex
                        : where == "uniform"                                ? Owner::Primitive
                        : where == "constant" || (where.empty() && primvar) ? Owner::Detail
                                                                            : Owner::Point;
    const std::string_view value = property.at(time);
    if (value.empty() || value == "None") return;
    const bool known = a.name.find(':') == std::string::npos && decode(property.type, value, a);
    if (known && !indices.empty() && indices != "None") choose(a, name, indices);
    if (known && name == "primvars:st" && !a.is_text()) deepen(a);
    const auto needed = static_cast<std::size_t>(g.count(owner)) * static_cast<std::size_t>(a.tuple_size);
    if (known && a.size() == needed) {
      g.put(owner, std::move(a));
    } else if (warnings) {
      warnings->push_back("property '" + name + "' left out: " +
                          (known ? "it has " + std::to_string(a.size()) + " values where " +
                                       std::to_string(needed) + " are needed"
                                 : "its type '" + property.type + "' is not supported"));
    }
  }
};

}  // namespace

std::unique_ptr<FrameSource> open_usda(std::string bytes, std::vector<std::string>* warnings) {
  return std::make_unique<UsdaFrames>(std::move(bytes), warnings);
}

}  // namespace verve
