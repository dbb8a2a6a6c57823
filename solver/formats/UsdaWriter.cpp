#include <algorithm>
#include <array>

#include "formats/TextNumbers.h"
#include "formats/Usda.h"
#include "formats/UsdaText.h"
#include "geometry/TetSurface.h"

namespace verve {

namespace {

/// An attribute that is written, and whether it differs between frames.
struct Channel {
  Owner owner;
  std::string name, type, first_text;
  bool varies = false;
  /// Whether a third texture coordinate is ever other than 0.
  bool deep = false;

  bool is(Owner o, const char* n) const { return owner == o && name == n; }
};

/// Texture coordinates, which USD has in primvars:st, and normals, in a property of their own.
bool is_uv(const Attribute& a) {
  return a.name == "uv" && a.as<float>() && !a.is_array() && (a.tuple_size == 2 || a.tuple_size == 3);
}
bool is_normals(const Attribute& a) {
  return a.name == "N" && usd_type(a) == "normal3f";
}

/// The primitives as they are written: polygons, tetrahedra and open polygons each on their own.
struct Faces {
  std::vector<int> counts, points, tets, line_counts, line_points;

  bool operator==(const Faces& o) const {
    return counts == o.counts && points == o.points && tets == o.tets && line_counts == o.line_counts &&
           line_points == o.line_points;
  }
};

Faces faces_of(const Geometry& g) {
  Faces faces;
  for (std::size_t i = 0; i < g.primitive_types.size(); ++i) {
    const auto begin = g.vertex_points.begin() + g.primitive_starts[i];
    const auto end = g.vertex_points.begin() + g.primitive_starts[i + 1];
    switch (g.primitive_types[i]) {
      case PrimitiveType::Polygon:
        faces.counts.push_back(static_cast<int>(end - begin));
        faces.points.insert(faces.points.end(), begin, end);
        break;
      case PrimitiveType::Tetrahedron:
        faces.tets.insert(faces.tets.end(), begin, end);
        break;
      case PrimitiveType::Polyline:
        faces.line_counts.push_back(static_cast<int>(end - begin));
        faces.line_points.insert(faces.line_points.end(), begin, end);
        break;
    }
  }
  return faces;
}

class Writer {
 public:
  Writer(const FrameSource& frames, NewFile& out) : frames_(frames), out_(out) {
    if (frames.count() == 0) throw Error("there are no frames to write");
    first_ = frames.read(0);
    only_polygons_ = std::all_of(first_.primitive_types.begin(), first_.primitive_types.end(),
                                 [](PrimitiveType type) { return type == PrimitiveType::Polygon; });
  }

  void write() {
    survey();
    head();
    line("def Xform \"geometry\"\n{\n    def Mesh \"mesh\"\n    {");
    topology();
    samples("float3[] extent", [&](std::size_t i) { return extents_[i]; });
    for (const Channel& channel : channels_) write_channel(channel);
    line("    }");
    curves();
    line("}");
  }

 private:
  const FrameSource& frames_;
  NewFile& out_;
  Geometry first_;
  bool only_polygons_ = false;
  std::vector<Channel> channels_;
  std::vector<std::string> extents_;

  void line(const std::string& text) { out_.append(text + "\n"); }

  bool carries(Owner owner) const {
    return owner == Owner::Point || owner == Owner::Detail ||
           (only_polygons_ && first_.primitive_count() > 0);
  }

  /// One pass over all frames: checks that they fit together, and finds what varies.
  void survey() {
    const Faces faces = faces_of(first_);
    for (std::size_t i = 0; i < frames_.count(); ++i) {
      const Geometry g = frames_.read(i);
      if (g.point_count != first_.point_count || !(faces_of(g) == faces))
        throw Error(
            "frame " + std::to_string(frames_.frame(i)) +
            " has other points or primitives than the first one; a .usda sequence needs the same in each "
            "frame (bgeo.sc does not)");
      extents_.push_back(extent(g));
      for (std::size_t o = 0; o < kOwners; ++o)
        for (const Attribute& a : g.attributes[o]) note(static_cast<Owner>(o), a, i);
      for (Channel& channel : channels_)
        channel.varies = channel.varies || !g.find(channel.owner, channel.name);
    }
  }

  void note(Owner owner, const Attribute& a, std::size_t i) {
    if (!carries(owner) || usd_type(a).empty()) return;
    const auto found = std::find_if(channels_.begin(), channels_.end(),
                                    [&](const Channel& c) { return c.owner == owner && c.name == a.name; });
    const bool deep = is_uv(a) && has_third(a);
    // What is written decides, not the storage, so that frames read back from a file count as the same.
    if (found == channels_.end()) {
      Channel channel{owner, a.name, usd_type(a), usd_value(a), i > 0, deep};
      if (channel.is(Owner::Point, "P")) {
        channel.varies = true;
        channels_.insert(channels_.begin(), std::move(channel));
      } else {
        channels_.push_back(std::move(channel));
      }
    } else {
      found->deep = found->deep || deep;
      found->varies = found->varies || usd_value(a) != found->first_text;
    }
  }

  static bool has_third(const Attribute& a) {
    if (a.tuple_size < 3) return false;
    const std::vector<float>& all = *a.as<float>();
    for (std::size_t i = 2; i < all.size(); i += 3)
      if (all[i] != 0.0f) return true;
    return false;
  }

  /// Whether a channel is the one of its kind that USD has a place for: a corner's own value comes first.
  template <class Is>
  bool stands_for(const Channel& channel, Is&& is) const {
    if (channel.owner != Owner::Vertex && channel.owner != Owner::Point) return false;
    const Attribute* a = first_.find(channel.owner, channel.name);
    if (!a || !is(*a)) return false;
    const Attribute* nearer = first_.find(Owner::Vertex, channel.name);
    return channel.owner == Owner::Vertex || !carries(Owner::Vertex) || !nearer || !is(*nearer);
  }

  void write_coordinates(const Channel& channel, const std::string& metadata) {
    const std::size_t components = channel.deep ? 3 : 2;
    const std::string values = "texCoord" + std::to_string(components) + "f[] primvars:st";
    const std::string indices = "int[] primvars:st:indices";
    const auto at = [&](const Geometry& g) {
      const Attribute* a = g.find(channel.owner, channel.name);
      return a && is_uv(*a) ? indexed(*a, components) : IndexedCoordinates{};
    };
    if (!channel.varies) {
      const IndexedCoordinates all = at(first_);
      line("        " + values + " = " + all.values + metadata);
      return line("        " + indices + " = " + all.indices);
    }
    line("        " + values + metadata);
    samples(values, [&](std::size_t i) { return at(frames_.read(i)).values; });
    samples(indices, [&](std::size_t i) { return at(frames_.read(i)).indices; });
  }

  static std::string extent(const Geometry& g) {
    std::array<float, 6> box{};
    if (const auto corners = bounding_box(g))
      for (std::size_t k = 0; k < 6; ++k)
        box[k] = static_cast<float>((*corners)[k / 3][static_cast<Eigen::Index>(k % 3)]);
    std::string out;
    append_row(out, box.data(), 2, 3);
    return out;
  }

  void head() {
    std::string rate;
    append_number(rate, frames_.fps());
    line("#usda 1.0\n(\n    defaultPrim = \"geometry\"\n    doc = \"Verve\"\n    endTimeCode = " +
         std::to_string(frames_.frame(frames_.count() - 1)) + "\n    framesPerSecond = " + rate +
         "\n    metersPerUnit = 1\n    startTimeCode = " + std::to_string(frames_.frame(0)) +
         "\n    timeCodesPerSecond = " + rate + "\n    upAxis = \"Y\"\n)\n");
  }

  void constant(const std::string& declaration, const std::vector<int>& values) {
    std::string text = "        " + declaration + " = ";
    append_row(text, values);
    line(text);
  }

  void topology() {
    const Faces faces = faces_of(first_);
    std::vector<int> counts = faces.counts, indices = faces.points;
    for (const auto& triangle : tet_surface(first_)) {
      counts.push_back(3);
      indices.insert(indices.end(), triangle.begin(), triangle.end());
    }
    line("        uniform token subdivisionScheme = \"none\"");
    constant("int[] faceVertexCounts", counts);
    constant("int[] faceVertexIndices", indices);
    line("        custom int verve:polygons = " + std::to_string(faces.counts.size()));
    constant("custom int[] verve:tetrahedra", faces.tets);
    constant("custom int[] verve:polylineCounts", faces.line_counts);
    constant("custom int[] verve:polylinePoints", faces.line_points);
  }

  template <class Text>
  void samples(const std::string& declaration, Text&& text) {
    line("        " + declaration + ".timeSamples = {");
    for (std::size_t i = 0; i < frames_.count(); ++i) {
      const std::string value = text(i);
      if (!value.empty()) line("            " + std::to_string(frames_.frame(i)) + ": " + value + ",");
    }
    line("        }");
  }

  void write_channel(const Channel& channel) {
    std::string declaration, metadata;
    if (channel.is(Owner::Point, "P")) {
      declaration = "point3f[] points";
    } else if (channel.is(Owner::Point, "v") && channel.type == "vector3f") {
      declaration = "vector3f[] velocities";
    } else {
      constexpr const char* interpolation[] = {"vertex", "faceVarying", "uniform", "constant"};
      metadata = std::string(" (\n            interpolation = \"") +
                 interpolation[static_cast<std::size_t>(channel.owner)] + "\"\n        )";
      if (stands_for(channel, is_uv)) return write_coordinates(channel, metadata);
      declaration = stands_for(channel, is_normals)
                        ? "normal3f[] normals"
                        : channel.type + "[] primvars:" +
                              (channel.name == "Cd" ? "displayColor" : usd_identifier(channel.name));
    }
    if (channel.varies) {
      if (!metadata.empty()) line("        " + declaration + metadata);
      samples(declaration, [&](std::size_t i) { return text_of(channel, frames_.read(i)); });
    } else {
      line("        " + declaration + " = " + text_of(channel, first_) + metadata);
    }
  }

  static std::string text_of(const Channel& channel, const Geometry& g) {
    if (channel.is(Owner::Point, "P")) {
      const Vector x = g.positions();
      const std::vector<float> p(x.data(), x.data() + x.size());
      std::string out;
      append_row(out, p.data(), p.size() / 3, 3);
      return out;
    }
    const Attribute* a = g.find(channel.owner, channel.name);
    return a ? usd_value(*a) : "";
  }

  /// Open polygons once more as curves, which is how USD programs draw them.
  void curves() {
    const Faces faces = faces_of(first_);
    if (faces.line_counts.empty()) return;
    line("\n    def BasisCurves \"curves\"\n    {\n        uniform token type = \"linear\"");
    constant("int[] curveVertexCounts", faces.line_counts);
    samples("point3f[] points", [&](std::size_t i) {
      const Geometry g = frames_.read(i);
      std::vector<float> p;
      for (const int point : faces.line_points)
        for (const double value : g.position(point)) p.push_back(static_cast<float>(value));
      std::string out;
      append_row(out, p.data(), p.size() / 3, 3);
      return out;
    });
    line("        float[] widths = [0.01] (\n            interpolation = \"constant\"\n        )\n    }");
  }
};

}  // namespace

void write_usda(const FrameSource& frames, NewFile& out) {
  Writer(frames, out).write();
}

}  // namespace verve
