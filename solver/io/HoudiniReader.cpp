#include <algorithm>
#include <limits>
#include <map>

#include "io/HoudiniAttributes.h"
#include "io/HoudiniFile.h"
#include "io/ScFile.h"

namespace verve {

namespace {

/// What is left of the file's vertices and primitives, in the order in which Geometry has them.
struct Selection {
  std::vector<int> vertices;
  std::vector<int> primitives;
};

class Reader {
 public:
  Reader(std::string_view bytes, std::vector<std::string>& warnings)
      : root_(parse_json(bytes)), limit_(bytes.size()), warnings_(warnings) {}

  Geometry read() {
    points_ = count("pointcount");
    vertices_ = count("vertexcount");
    primitives_ = count("primitivecount");
    read_topology();
    read_primitives();
    orient();
    read_attributes();
    read_groups("pointgroups", Owner::Point, points_);
    read_groups("vertexgroups", Owner::Vertex, vertices_);
    read_groups("primitivegroups", Owner::Primitive, primitives_);
    read_edge_groups();
    report();
    check(geometry_);
    return std::move(geometry_);
  }

 private:
  const JsonValue root_;
  UnfoldLimit limit_;
  std::vector<std::string>& warnings_;
  Geometry geometry_;
  std::size_t points_ = 0, vertices_ = 0, primitives_ = 0;
  std::vector<int> file_points_;
  Selection kept_;
  /// 1 for each of the file's vertices that belongs to a primitive already.
  std::vector<std::uint8_t> used_;
  /// How many of the file's primitives were met so far, and how many of each kind were skipped.
  std::size_t next_primitive_ = 0;
  std::map<std::string, std::size_t> skipped_;

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
    used_.assign(vertices_, 0);
    indices.copy(0, vertices_, file_points_.data(), "indices");
    for (std::size_t j = 0; j < vertices_; ++j)
      if (file_points_[j] < 0 || static_cast<std::size_t>(file_points_[j]) >= points_)
        throw Error("vertex " + std::to_string(j) + " refers to point " + std::to_string(file_points_[j]) +
                    ", but there are " + std::to_string(points_) + " points");
  }

  void read_primitives() {
    if (primitives_ == 0) return;
    const JsonValue& list = root_.get("primitives");
    for (std::size_t i = 0; i < list.size("primitives"); ++i) {
      const JsonValue& item = list.at(i, "primitives");
      const JsonValue& head = item.at(0, "primitives");
      const JsonValue& body = item.at(1, "primitives");
      const std::string type(head.get("type").text("type"));
      if (type == "run") {
        read_varying_run(head, body);
      } else if (type == "Polygon_run" || type == "p_r") {
        read_polygon_run(body, PrimitiveType::Polygon);
      } else if (type == "PolygonCurve_run" || type == "c_r") {
        read_polygon_run(body, PrimitiveType::Polyline);
      } else if (type == "Tetrahedron_run") {
        read_tetrahedron_run(body);
      } else if (type.size() > 4 && type.substr(type.size() - 4) == "_run") {
        const JsonValue* n = body.find("nprimitives", "n_p");
        skip(type.substr(0, type.size() - 4), n ? n->integer("nprimitives") : 1);
      } else {
        read_single(type, body.find("vertex"), body.find("closed"));
      }
    }
    if (next_primitive_ != primitives_)
      throw Error("found " + std::to_string(next_primitive_) + " primitives, but the file announces " +
                  std::to_string(primitives_));
  }

  void skip(const std::string& type, std::int64_t count) {
    if (count < 0 || static_cast<std::uint64_t>(count) > primitives_ - next_primitive_)
      throw Error("there are more primitives than the file announces");
    skipped_[type] += static_cast<std::size_t>(count);
    next_primitive_ += static_cast<std::size_t>(count);
  }

  /// Keeps the next primitive of the file, over the vertices that were appended to kept_.vertices.
  void keep(PrimitiveType type) {
    if (next_primitive_ >= primitives_) throw Error("there are more primitives than the file announces");
    for (auto j = static_cast<std::size_t>(geometry_.primitive_starts.back()); j < kept_.vertices.size();
         ++j) {
      std::uint8_t& used = used_[static_cast<std::size_t>(kept_.vertices[j])];
      if (used)
        throw Error("primitive " + std::to_string(next_primitive_) + " uses vertex " +
                    std::to_string(kept_.vertices[j]) + ", which belongs to another one");
      used = 1;
    }
    geometry_.primitive_types.push_back(type);
    geometry_.primitive_starts.push_back(static_cast<int>(kept_.vertices.size()));
    kept_.primitives.push_back(static_cast<int>(next_primitive_++));
  }

  static bool is_polygon(const std::string& type) { return type == "Poly" || type == "Polygon"; }

  void read_single(const std::string& type, const JsonValue* vertex, const JsonValue* closed) {
    if (!is_polygon(type) && type != "Tetrahedron") return skip(type, 1);
    if (!vertex) throw Error("primitive " + std::to_string(next_primitive_) + " has no vertices");
    const std::size_t n = vertex->size("vertex"), before = kept_.vertices.size();
    if (n == 0) return skip(type + " without vertices", 1);
    if (n > vertices_)
      throw Error("primitive " + std::to_string(next_primitive_) + " has more vertices than the file");
    kept_.vertices.resize(before + n);
    vertex->copy(0, n, kept_.vertices.data() + before, "vertex");
    for (std::size_t k = before; k < kept_.vertices.size(); ++k)
      if (kept_.vertices[k] < 0 || static_cast<std::size_t>(kept_.vertices[k]) >= vertices_)
        throw Error("primitive " + std::to_string(next_primitive_) + " refers to vertex " +
                    std::to_string(kept_.vertices[k]) + ", but there are " + std::to_string(vertices_));
    if (type == "Tetrahedron") {
      keep(PrimitiveType::Tetrahedron);
    } else {
      keep(!closed || closed->truth("closed") ? PrimitiveType::Polygon : PrimitiveType::Polyline);
    }
  }

  /// Primitives of one type: some fields are the same for all, the others are listed for each.
  void read_varying_run(const JsonValue& head, const JsonValue& body) {
    const std::string type(head.get("runtype").text("runtype"));
    const std::size_t n = body.size("run");
    const JsonValue* varying = head.find("varyingfields");
    const JsonValue* uniform = head.find("uniformfields");
    if (!is_polygon(type) && type != "Tetrahedron") return skip(type, static_cast<std::int64_t>(n));
    const JsonValue* closed = uniform ? uniform->find("closed") : nullptr;
    std::size_t vertex_field = std::string::npos, closed_field = std::string::npos;
    for (std::size_t k = 0; varying && k < varying->size("varyingfields"); ++k) {
      const std::string_view name = varying->at(k, "varyingfields").text("varyingfields");
      if (name == "vertex") vertex_field = k;
      if (name == "closed") closed_field = k;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const JsonValue& item = body.at(i, "run");
      read_single(type, vertex_field == std::string::npos ? nullptr : &item.at(vertex_field, "run"),
                  closed_field == std::string::npos ? closed : &item.at(closed_field, "run"));
    }
  }

  /// The vertices that a run begins at, checked.
  std::size_t start_vertex(const JsonValue& body) const {
    const JsonValue* start = body.find("startvertex", "s_v");
    const std::int64_t first = start ? start->integer("startvertex") : 0;
    if (first < 0 || static_cast<std::uint64_t>(first) > vertices_)
      throw Error("a run begins after the last vertex");
    return static_cast<std::size_t>(first);
  }

  std::int64_t run_length(const JsonValue& body) const {
    const JsonValue* n = body.find("nprimitives", "n_p");
    if (!n) throw Error("a run does not say how many primitives it has");
    return n->integer("nprimitives");
  }

  void append_primitive(PrimitiveType type, std::size_t& first, std::size_t n) {
    if (n > vertices_ - first) throw Error("a run goes beyond the last vertex");
    for (std::size_t k = 0; k < n; ++k) kept_.vertices.push_back(static_cast<int>(first + k));
    first += n;
    keep(type);
  }

  void read_tetrahedron_run(const JsonValue& body) {
    std::size_t first = start_vertex(body);
    const std::int64_t n = run_length(body);
    for (std::int64_t i = 0; i < n; ++i) append_primitive(PrimitiveType::Tetrahedron, first, 4);
  }

  void read_polygon_run(const JsonValue& body, PrimitiveType type) {
    std::size_t first = start_vertex(body);
    const std::size_t before = next_primitive_;
    const auto append = [&](std::int64_t size, std::int64_t repeat) {
      if (size < 0) throw Error("a polygon has a negative number of vertices");
      if (size == 0) return skip("polygon without vertices", repeat);
      for (std::int64_t i = 0; i < repeat; ++i) append_primitive(type, first, static_cast<std::size_t>(size));
    };
    if (const JsonValue* runs = body.find("nvertices_rle", "r_v")) {
      for (std::size_t i = 0; i + 1 < runs->size("nvertices_rle"); i += 2)
        append(runs->integer_at(i, "nvertices_rle"), runs->integer_at(i + 1, "nvertices_rle"));
    } else if (const JsonValue* sizes = body.find("nvertices", "n_v")) {
      for (std::size_t i = 0; i < sizes->size("nvertices"); ++i) append(sizes->integer_at(i, "nvertices"), 1);
    } else {
      throw Error("a run of polygons does not say how many vertices they have");
    }
    if (static_cast<std::int64_t>(next_primitive_ - before) != run_length(body))
      throw Error("a run of polygons has another length than it announces");
  }

  /// Brings the vertices into the order of Geometry.
  void orient() {
    geometry_.point_count = static_cast<int>(points_);
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
    if (owner == Owner::Primitive && kept_.primitives.size() != primitives_) return &kept_.primitives;
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
        if (const std::vector<int>* chosen = selection(owner)) select_elements(*attribute, *chosen);
        geometry_.put(owner, std::move(*attribute));
      }
    }
    if (points_ > 0 && !geometry_.find(Owner::Point, "P")) throw Error("the points have no positions P");
  }

  void read_groups(const char* section, Owner owner, std::size_t elements) {
    const JsonValue* list = root_.find(section);
    for (std::size_t i = 0; list && i < list->size(section); ++i) {
      const JsonValue& item = list->at(i, section);
      Group group;
      group.owner = owner;
      group.name = item.at(0, section).get("name").text("name");
      try {
        if (!read_selection(item.at(1, section).get("selection"), elements, group)) continue;
      } catch (const Error& error) {
        throw Error(std::string(name_of(owner)) + " group '" + group.name + "': " + error.what());
      }
      if (const std::vector<int>* chosen = selection(owner)) {
        if (!group.order.empty()) reorder(group.order, *chosen, elements);
        select_tuples(group.members, *chosen, 1);
      }
      geometry_.groups.push_back(std::move(group));
    }
  }

  /// False if the group is of a kind that is left out.
  bool read_selection(const JsonValue& selection, std::size_t elements, Group& group) {
    limit_.claim(elements, 1);
    group.members.assign(elements, 0);
    if (const JsonValue* ordered = selection.find("ordered")) {
      limit_.claim(ordered->size("ordered"), sizeof(int));
      group.order.resize(ordered->size("ordered"));
      ordered->copy(0, group.order.size(), group.order.data(), "ordered");
      for (const int element : group.order) {
        if (element < 0 || static_cast<std::size_t>(element) >= elements)
          throw Error("element " + std::to_string(element) + " does not exist");
        group.members[static_cast<std::size_t>(element)] = 1;
      }
      return true;
    }
    const JsonValue* unordered = selection.find("unordered");
    if (const JsonValue* runs = unordered ? unordered->find("boolRLE") : nullptr) {
      std::size_t at = 0;
      for (std::size_t i = 0; i + 1 < runs->size("boolRLE"); i += 2) {
        const std::int64_t n = runs->integer_at(i, "boolRLE");
        if (n < 0 || static_cast<std::uint64_t>(n) > elements - at)
          throw Error("it has more elements than there are");
        const auto begin = group.members.begin() + static_cast<std::ptrdiff_t>(at);
        std::fill(begin, begin + n, static_cast<std::uint8_t>(runs->integer_at(i + 1, "boolRLE") != 0));
        at += static_cast<std::size_t>(n);
      }
      if (at != elements) throw Error("it has fewer elements than there are");
      return true;
    }
    if (const JsonValue* flags = unordered ? unordered->find("i8") : nullptr) {
      if (flags->size("i8") != elements) throw Error("it has another number of elements than there are");
      for (std::size_t i = 0; i < elements; ++i) group.members[i] = flags->integer_at(i, "i8") != 0;
      return true;
    }
    warnings_.push_back("group '" + group.name + "' was left out: its encoding is not known");
    return false;
  }

  /// Ordered members by their new numbers; those that are gone are left out.
  void reorder(std::vector<int>& order, const std::vector<int>& chosen, std::size_t elements) {
    limit_.claim(elements, sizeof(int));
    std::vector<int> place(elements, -1);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      place[static_cast<std::size_t>(chosen[i])] = static_cast<int>(i);
    for (int& element : order) element = place[static_cast<std::size_t>(element)];
    order.erase(std::remove(order.begin(), order.end(), -1), order.end());
  }

  void read_edge_groups() {
    const JsonValue* list = root_.find("edgegroups");
    for (std::size_t i = 0; list && i < list->size("edgegroups"); ++i) {
      const JsonValue& item = list->at(i, "edgegroups");
      EdgeGroup group;
      group.name = item.at(0, "edgegroups").get("name").text("name");
      const JsonValue& body = item.at(1, "edgegroups");
      const JsonValue* points = body.find("points");
      if (!points) {
        warnings_.push_back("edge group '" + group.name + "' was left out: its encoding is not known");
        continue;
      }
      if (body.find("primitives"))
        warnings_.push_back("edge group '" + group.name + "': the primitives of its edges were left out");
      limit_.claim(points->size("points"), sizeof(int));
      for (std::size_t k = 0; k + 1 < points->size("points"); k += 2) {
        std::array<int, 2> edge;
        points->copy(k, 2, edge.data(), "points");
        for (const int p : edge)
          if (p < 0 || static_cast<std::size_t>(p) >= points_)
            throw Error("edge group '" + group.name + "' refers to point " + std::to_string(p));
        group.edges.push_back(edge);
      }
      geometry_.edge_groups.push_back(std::move(group));
    }
  }

  void report() {
    for (const auto& [type, n] : skipped_)
      warnings_.push_back(std::to_string(n) + (n == 1 ? " primitive" : " primitives") + " of type '" + type +
                          "' left out: only polygons, open polygons and tetrahedra are read");
    const std::size_t used = kept_.vertices.size();
    if (used < vertices_ && skipped_.empty())
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
  return Reader(bytes, warnings ? *warnings : ignored).read();
}

}  // namespace verve
