#include "bgeo/HoudiniPrimitives.h"

#include <algorithm>
#include <unordered_set>

#include "base/Error.h"

namespace verve {

namespace {

class Reader {
 public:
  Reader(std::size_t vertices, std::size_t primitives) : vertices_(vertices), primitives_(primitives) {
    result_.used.assign(vertices, 0);
  }

  HoudiniPrimitives read(const JsonValue& list) {
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
      } else if (type == "Tetrahedron_run" || type == "t_r") {
        read_tetrahedron_run(body);
      } else if (const std::string name = without_run(type); name != type) {
        const JsonValue* n = body.find("nprimitives", "n_p");
        skip(name, n ? n->integer("nprimitives") : 1);
      } else {
        read_single(type, fields_of(body));
      }
    }
    if (next_primitive_ != primitives_)
      throw Error("found " + std::to_string(next_primitive_) + " primitives, but the file announces " +
                  std::to_string(primitives_));
    return std::move(result_);
  }

 private:
  const std::size_t vertices_, primitives_;
  HoudiniPrimitives result_;
  /// How many of the file's primitives were met so far.
  std::size_t next_primitive_ = 0;

  void skip(const std::string& type, std::int64_t count) {
    if (count < 0 || static_cast<std::uint64_t>(count) > primitives_ - next_primitive_)
      throw Error("there are more primitives than the file announces");
    result_.skipped[type] += static_cast<std::size_t>(count);
    next_primitive_ += static_cast<std::size_t>(count);
  }

  void mark_used(const int* vertices, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
      std::uint8_t& used = result_.used[static_cast<std::size_t>(vertices[j])];
      if (used)
        throw Error("primitive " + std::to_string(next_primitive_) + " uses vertex " +
                    std::to_string(vertices[j]) + ", which belongs to another one");
      used = 1;
    }
  }

  /// A primitive for Geometry, over the vertices that were appended to result_.vertices.
  void add_kept(PrimitiveType type) {
    result_.types.push_back(type);
    result_.starts.push_back(static_cast<int>(result_.vertices.size()));
    result_.primitives.push_back(static_cast<int>(next_primitive_));
  }

  /// Keeps the next primitive of the file.
  void keep(PrimitiveType type) {
    if (next_primitive_ >= primitives_) throw Error("there are more primitives than the file announces");
    const auto begin = static_cast<std::size_t>(result_.starts.back());
    mark_used(result_.vertices.data() + begin, result_.vertices.size() - begin);
    add_kept(type);
    ++next_primitive_;
  }

  /// The name of a run's primitives, which ends in _run, or in _r as binary files shorten it.
  static std::string without_run(const std::string& type) {
    for (const std::string_view end : {"_run", "_r"})
      if (type.size() > end.size() && type.substr(type.size() - end.size()) == end)
        return type.substr(0, type.size() - end.size());
    return type;
  }

  using Fields = std::map<std::string, const JsonValue*>;

  /// The fields of a primitive that stands alone.
  static Fields fields_of(const JsonValue& body) {
    Fields fields;
    for (const char* name : {"vertex", "closed", "polyinfo", "parameters", "pivot", "transform"})
      if (const JsonValue* value = body.find(name)) fields[name] = value;
    return fields;
  }

  void read_single(const std::string& type, const Fields& fields) {
    const auto field = [&](const char* name) {
      const auto found = fields.find(name);
      return found == fields.end() ? nullptr : found->second;
    };
    if (type == "PolySoup") return read_soup(field("vertex"), field("polyinfo"));
    if (is_packed(type)) {
      result_.packed.push_back(read_packed(type, fields));
      if (next_primitive_++ >= primitives_) throw Error("there are more primitives than the file announces");
      return;
    }
    if (type != "Poly" && type != "Polygon" && type != "Tetrahedron") return skip(type, 1);
    const JsonValue* vertex = field("vertex");
    if (!vertex) throw Error("primitive " + std::to_string(next_primitive_) + " has no vertices");
    if (vertex->size("vertex") == 0) return skip(type + " without vertices", 1);
    append_vertices(*vertex, 0, vertex->size("vertex"));
    const JsonValue* closed = field("closed");
    if (type == "Tetrahedron") {
      keep(PrimitiveType::Tetrahedron);
    } else {
      keep(!closed || closed->truth("closed") ? PrimitiveType::Polygon : PrimitiveType::Polyline);
    }
  }

  /// Appends `n` of the file's vertices, listed from `begin` on, to those of the next primitive.
  void append_vertices(const JsonValue& list, std::size_t begin, std::size_t n) {
    const std::size_t before = result_.vertices.size();
    if (n > list.size("vertex") - std::min(begin, list.size("vertex")))
      throw Error("primitive " + std::to_string(next_primitive_) + " lists fewer vertices than it needs");
    result_.vertices.resize(before + n);
    list.copy(begin, n, result_.vertices.data() + before, "vertex");
    for (std::size_t k = before; k < result_.vertices.size(); ++k)
      if (result_.vertices[k] < 0 || static_cast<std::size_t>(result_.vertices[k]) >= vertices_)
        throw Error("primitive " + std::to_string(next_primitive_) + " refers to vertex " +
                    std::to_string(result_.vertices[k]) + ", but there are " + std::to_string(vertices_));
  }

  /// A soup is one primitive with many polygons, which share its vertices: each polygon gets a copy of the
  /// vertices it uses, with their attributes. `info` lists sizes, how many polygons of each, and corners.
  void read_soup(const JsonValue* vertex, const JsonValue* info) {
    if (!vertex || !info || !info->is_array() || info->size("polyinfo") < 3)
      throw Error("primitive " + std::to_string(next_primitive_) + ", a polygon soup, has no polygons");
    if (next_primitive_ >= primitives_) throw Error("there are more primitives than the file announces");
    // The soup owns its vertices; `mine` tells them from those of others.
    const std::size_t before = result_.vertices.size();
    append_vertices(*vertex, 0, vertex->size("vertex"));
    const std::vector<int> own(result_.vertices.begin() + static_cast<std::ptrdiff_t>(before),
                               result_.vertices.end());
    result_.vertices.resize(before);
    mark_used(own.data(), own.size());
    const std::unordered_set<int> mine(own.begin(), own.end());
    const JsonValue &sizes = info->at(0, "polyinfo"), &counts = info->at(1, "polyinfo"),
                    &corners = info->at(2, "polyinfo");
    if (sizes.size("polyinfo") != counts.size("polyinfo"))
      throw Error("a polygon soup lists other sizes than numbers of polygons");
    std::size_t at = 0;
    for (std::size_t i = 0; i < sizes.size("polyinfo"); ++i) {
      const std::int64_t size = sizes.integer_at(i, "polyinfo"), n = counts.integer_at(i, "polyinfo");
      if (size < 1 || n < 0) throw Error("a polygon soup has polygons without vertices");
      for (std::int64_t k = 0; k < n; ++k, at += static_cast<std::size_t>(size)) {
        append_vertices(corners, at, static_cast<std::size_t>(size));
        for (auto j = result_.vertices.end() - size; j != result_.vertices.end(); ++j)
          if (!mine.count(*j))
            throw Error("primitive " + std::to_string(next_primitive_) + ", a polygon soup, uses vertex " +
                        std::to_string(*j) + ", which does not belong to it");
        add_kept(PrimitiveType::Polygon);
      }
    }
    ++next_primitive_;
  }

  /// Primitives of one type: some fields are the same for all, the others are listed for each.
  void read_varying_run(const JsonValue& head, const JsonValue& body) {
    const std::string type(head.get("runtype").text("runtype"));
    const JsonValue* varying = head.find("varyingfields");
    const JsonValue* uniform = head.find("uniformfields");
    Fields fields;
    if (uniform) fields = fields_of(*uniform);
    std::vector<std::string> names;
    for (std::size_t k = 0; varying && k < varying->size("varyingfields"); ++k)
      names.emplace_back(varying->at(k, "varyingfields").text("varyingfields"));
    const bool known =
        is_packed(type) || type == "PolySoup" || type == "Poly" || type == "Polygon" || type == "Tetrahedron";
    if (!known) return skip(type, static_cast<std::int64_t>(body.size("run")));
    for (std::size_t i = 0; i < body.size("run"); ++i) {
      const JsonValue& item = body.at(i, "run");
      // A primitive whose only field is a row of numbers may come as that row.
      if (names.size() == 1 && !std::holds_alternative<JsonArray>(item.value)) fields[names[0]] = &item;
      for (std::size_t k = 0; std::holds_alternative<JsonArray>(item.value) && k < names.size(); ++k)
        fields[names[k]] = &item.at(k, "run");
      read_single(type, fields);
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
    for (std::size_t k = 0; k < n; ++k) result_.vertices.push_back(static_cast<int>(first + k));
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
};

}  // namespace

HoudiniPrimitives read_houdini_primitives(const JsonValue& list, std::size_t vertices,
                                          std::size_t primitives) {
  return Reader(vertices, primitives).read(list);
}

}  // namespace verve
