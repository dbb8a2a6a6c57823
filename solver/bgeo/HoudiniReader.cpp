#include <algorithm>
#include <limits>
#include <map>

#include "bgeo/HoudiniAttributes.h"
#include "bgeo/HoudiniFile.h"
#include "bgeo/HoudiniGroups.h"
#include "bgeo/HoudiniPacked.h"
#include "bgeo/HoudiniPrimitives.h"
#include "bgeo/ScFile.h"
#include "geometry/Merge.h"
#include "geometry/Subset.h"

namespace verve {

namespace {

class Reader {
 public:
  Reader(const JsonValue& root, UnfoldLimit& limit, std::vector<std::string>& warnings)
      : root_(root), limit_(limit), warnings_(warnings) {}

  Geometry read() {
    points_ = count("pointcount");
    vertices_ = count("vertexcount");
    primitives_ = count("primitivecount");
    read_topology();
    if (primitives_ > 0) kept_ = read_houdini_primitives(root_.get("primitives"), vertices_, primitives_);
    orient();
    read_attributes();
    read_groups("pointgroups", Owner::Point, points_);
    read_groups("vertexgroups", Owner::Vertex, vertices_);
    read_groups("primitivegroups", Owner::Primitive, primitives_);
    read_edge_groups();
    unpack();
    report();
    check(geometry_);
    return std::move(geometry_);
  }

 private:
  const JsonValue& root_;
  UnfoldLimit& limit_;
  std::vector<std::string>& warnings_;
  Geometry geometry_;
  std::size_t points_ = 0, vertices_ = 0, primitives_ = 0;
  std::vector<int> file_points_;
  HoudiniPrimitives kept_;

  std::size_t count(const char* key) const {
    const std::int64_t n = root_.get(key).integer(key);
    if (n < 0 || n > std::numeric_limits<int>::max())
      throw Error(std::string(key) + " is " + std::to_string(n) + ", beyond what can be read");
    return static_cast<std::size_t>(n);
  }

  void read_topology() {
    if (vertices_ == 0) return;
    const JsonValue& indices = root_.get("topology").get("pointref").get("indices");
    if (indices.size("indices") != vertices_)
      throw Error("the topology has " + std::to_string(indices.size("indices")) +
                  " vertices, but the file announces " + std::to_string(vertices_));
    file_points_.resize(vertices_);
    indices.copy(0, vertices_, file_points_.data(), "indices");
    for (std::size_t j = 0; j < vertices_; ++j)
      if (file_points_[j] < 0 || static_cast<std::size_t>(file_points_[j]) >= points_)
        throw Error("vertex " + std::to_string(j) + " refers to point " + std::to_string(file_points_[j]) +
                    ", but there are " + std::to_string(points_) + " points");
  }

  /// Brings the vertices into the order of Geometry.
  void orient() {
    geometry_.point_count = static_cast<int>(points_);
    geometry_.primitive_types = kept_.types;
    geometry_.primitive_starts = kept_.starts;
    geometry_.vertex_points.resize(kept_.vertices.size());
    const std::vector<int> order = reversed_vertices(geometry_);
    std::vector<int> turned(order.size());
    for (std::size_t j = 0; j < order.size(); ++j)
      turned[j] = kept_.vertices[static_cast<std::size_t>(order[j])];
    kept_.vertices = std::move(turned);
    for (std::size_t j = 0; j < kept_.vertices.size(); ++j)
      geometry_.vertex_points[j] = file_points_[static_cast<std::size_t>(kept_.vertices[j])];
  }

  /// The elements to keep of an owner; null if all are kept as they are.
  const std::vector<int>* selection(Owner owner) const {
    if (owner == Owner::Vertex) return &kept_.vertices;
    if (owner != Owner::Primitive) return nullptr;
    for (std::size_t i = 0; i < primitives_; ++i)
      if (kept_.primitives.size() != primitives_ || kept_.primitives[i] != static_cast<int>(i))
        return &kept_.primitives;
    return nullptr;
  }

  void read_attributes() {
    const std::pair<const char*, Owner> sections[] = {{"pointattributes", Owner::Point},
                                                      {"vertexattributes", Owner::Vertex},
                                                      {"primitiveattributes", Owner::Primitive},
                                                      {"globalattributes", Owner::Detail}};
    const std::size_t counts[] = {points_, vertices_, primitives_, 1};
    const JsonValue* all = root_.find("attributes");
    for (const auto& [key, owner] : sections) {
      const JsonValue* list = all ? all->find(key) : nullptr;
      for (std::size_t i = 0; list && i < list->size(key); ++i) {
        const std::size_t elements = counts[static_cast<std::size_t>(owner)];
        auto attribute = read_houdini_attribute(list->at(i, key), elements, limit_, warnings_);
        if (!attribute) continue;
        if (const std::vector<int>* chosen = selection(owner)) {
          // Soups unfold: an element may be chosen many times.
          limit_.claim(chosen->size(), 8 * (1 + attribute->size() / std::max<std::size_t>(elements, 1)));
          select_elements(*attribute, *chosen);
        }
        geometry_.put(owner, std::move(*attribute));
      }
    }
    if (points_ > 0 && !geometry_.find(Owner::Point, "P")) throw Error("the points have no positions P");
  }

  void read_groups(const char* section, Owner owner, std::size_t elements) {
    const JsonValue* list = root_.find(section);
    for (std::size_t i = 0; list && i < list->size(section); ++i) {
      auto group = read_houdini_group(list->at(i, section), owner, elements, limit_, warnings_);
      if (!group) continue;
      if (const std::vector<int>* chosen = selection(owner)) select_members(*group, *chosen, limit_);
      geometry_.groups.push_back(std::move(*group));
    }
  }

  void read_edge_groups() {
    const JsonValue* list = root_.find("edgegroups");
    for (std::size_t i = 0; list && i < list->size("edgegroups"); ++i)
      if (auto group = read_houdini_edges(list->at(i, "edgegroups"), points_, limit_, warnings_))
        geometry_.edge_groups.push_back(std::move(*group));
  }

  /// The embedded geometries by name. The list is flat, and its first words repeat: what the data belongs to,
  /// then the data.
  std::map<std::string, const JsonValue*> embedded() const {
    std::map<std::string, const JsonValue*> found;
    const JsonValue* list = root_.find("sharedprimitivedata");
    for (std::size_t i = 1; list && i < list->size("sharedprimitivedata"); i += 2) {
      const JsonValue& entry = list->at(i, "sharedprimitivedata");
      if (entry.is_array() && entry.size("sharedprimitivedata") >= 3 &&
          entry.at(0, "sharedprimitivedata").text("sharedprimitivedata") == "gu:embeddedgeo")
        found.emplace(entry.at(1, "sharedprimitivedata").text("sharedprimitivedata"),
                      &entry.at(2, "sharedprimitivedata"));
    }
    return found;
  }

  /// Appends the geometries of packed primitives, and takes away the points that stood for them.
  void unpack() {
    if (kept_.packed.empty()) return;
    const auto shared = embedded();
    std::map<std::string, Geometry> known;
    std::vector<std::uint8_t> keep(points_, 1);
    std::vector<std::pair<const PackedPrimitive*, Vec3>> placed;
    std::size_t instanced = 0;
    for (const PackedPrimitive& packed : kept_.packed) {
      const auto data = shared.find(packed.embedded);
      if (data == shared.end()) {
        ++kept_.skipped[packed.type];
        continue;
      }
      if (packed.vertex < 0 || static_cast<std::size_t>(packed.vertex) >= vertices_)
        throw Error("a packed primitive refers to vertex " + std::to_string(packed.vertex) +
                    ", but there are " + std::to_string(vertices_));
      const int point = file_points_[static_cast<std::size_t>(packed.vertex)];
      if (!known.count(packed.embedded))
        known.emplace(packed.embedded, Reader(*data->second, limit_, warnings_).read());
      placed.emplace_back(&packed, geometry_.position(point));
      keep[static_cast<std::size_t>(point)] = 0;
      kept_.used[static_cast<std::size_t>(packed.vertex)] = 1;
      instanced += packed.instanced;
    }
    for (const int p : geometry_.vertex_points) keep[static_cast<std::size_t>(p)] = 1;
    keep_points(geometry_, keep);
    // What was said of the packed primitives and their points alone is said of nothing now.
    for (const Owner owner : {Owner::Point, Owner::Vertex, Owner::Primitive})
      if (auto& list = geometry_.attributes[static_cast<std::size_t>(owner)]; geometry_.count(owner) == 0)
        list.erase(std::remove_if(list.begin(), list.end(), [](const Attribute& a) { return a.name != "P"; }),
                   list.end());
    for (const auto& [packed, centre] : placed) {
      const Geometry& part = known.at(packed->embedded);
      limit_.claim(bytes_of(part), 1);
      append(geometry_, unpacked(*packed, part, centre));
    }
    if (instanced > 0)
      warnings_.push_back(std::to_string(instanced) +
                          " packed primitives unpacked where their points are, without the turns and scales "
                          "that attributes of the points give (orient, pscale, ...); unpack them in Houdini");
  }

  static std::size_t bytes_of(const Geometry& g) {
    std::size_t bytes = 8 * (g.vertex_points.size() + g.primitive_types.size());
    for (const auto& list : g.attributes)
      for (const Attribute& a : list) bytes += 8 * a.size();
    for (const Group& group : g.groups) bytes += group.members.size() + 4 * group.order.size();
    return bytes;
  }

  void report() {
    for (const auto& [type, n] : kept_.skipped)
      warnings_.push_back(std::to_string(n) + (n == 1 ? " primitive" : " primitives") + " of type '" + type +
                          "' left out: only polygons, open polygons, polygon soups, tetrahedra and packed "
                          "geometry that the file holds are read");
    const auto used = static_cast<std::size_t>(std::count(kept_.used.begin(), kept_.used.end(), 1));
    if (used < vertices_ && kept_.skipped.empty())
      warnings_.push_back(std::to_string(vertices_ - used) +
                          " vertices that belong to no primitive left out");
  }
};

}  // namespace

Geometry read_houdini(std::string_view bytes, std::vector<std::string>* warnings) {
  std::string raw;
  if (is_sc(bytes)) bytes = raw = decompress_sc(bytes);
  if (bytes.substr(0, 9) == "PGEOMETRY" || bytes.substr(0, 5) == "BgeoV")
    throw Error("this is the format of Houdini 11 and earlier; open it in Houdini and save it again");
  std::vector<std::string> ignored;
  const JsonValue root = parse_json(bytes);
  UnfoldLimit limit(bytes.size());
  return Reader(root, limit, warnings ? *warnings : ignored).read();
}

}  // namespace verve
