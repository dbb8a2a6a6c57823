#include <algorithm>
#include <array>

#include "bgeo/HoudiniFile.h"
#include "bgeo/HoudiniJsonWriter.h"
#include "bgeo/ScFile.h"

namespace verve {

namespace {

constexpr const char* kFileVersion = "18.5.351";
constexpr const char* kSoftware = "Verve " VERVE_VERSION;
constexpr std::size_t kPage = 1024;

class Writer {
 public:
  Writer(const Geometry& geometry, bool text)
      : geometry_(geometry),
        text_(text),
        order_(reversed_vertices(geometry)),
        json_(text ? make_json_text_writer(true) : make_json_binary_writer()) {}

  std::string document() {
    json_->reserve(size_estimate());
    json_->begin_array();
    field("fileversion", kFileVersion);
    json_->text("hasindex");
    json_->boolean(false);
    field("pointcount", geometry_.point_count);
    field("vertexcount", geometry_.vertex_count());
    field("primitivecount", geometry_.primitive_count());
    info();
    topology();
    attributes();
    primitives();
    groups(Owner::Point, "pointgroups");
    groups(Owner::Vertex, "vertexgroups");
    groups(Owner::Primitive, "primitivegroups");
    edge_groups();
    json_->end_array();
    return json_->take();
  }

 private:
  const Geometry& geometry_;
  const bool text_;
  const std::vector<int> order_;
  std::unique_ptr<JsonWriter> json_;

  /// Room for the numbers as they are, so that growing never moves them.
  std::size_t size_estimate() const {
    std::size_t size = 65536 + 4 * geometry_.vertex_points.size();
    for (const auto& list : geometry_.attributes)
      for (const Attribute& a : list)
        size += std::visit(
            [](const auto& v) {
              if constexpr (std::is_base_of_v<StringValues, std::decay_t<decltype(v)>>) {
                return 4 * v.indices.size();
              } else {
                return sizeof(v[0]) * v.size();
              }
            },
            a.values);
    return size;
  }

  void field(const char* name, const std::string& value) {
    json_->text(name);
    json_->text(value);
  }
  void field(const char* name, int value) {
    json_->text(name);
    json_->integer(value);
  }

  /// `values` in the order that the file has them: vertices are reordered, all else stays.
  template <class T>
  std::vector<T> reordered(const std::vector<T>& values, std::size_t tuple) const {
    std::vector<T> result(values.size());
    for (std::size_t j = 0; j < order_.size(); ++j) {
      const auto from = static_cast<std::size_t>(order_[j]) * tuple;
      for (std::size_t k = 0; k < tuple; ++k) result[j * tuple + k] = values[from + k];
    }
    return result;
  }

  void info() {
    json_->text("info");
    json_->begin_object();
    json_->key("software");
    json_->text(kSoftware);
    const Attribute* p = geometry_.find(Owner::Point, "P");
    const bool placed = p && p->tuple_size >= 3 && !p->is_array() && !p->is_text();
    if (const auto box = placed ? bounding_box(geometry_) : std::nullopt) {
      std::array<double, 6> bounds;
      for (std::size_t k = 0; k < 6; ++k) bounds[k] = (*box)[k % 2][static_cast<Eigen::Index>(k / 2)];
      json_->key("bounds");
      json_->numbers(bounds.data(), bounds.size());
    }
    summary();
    json_->end_object();
  }

  void summary() {
    std::array<int, 3> count{};
    for (const PrimitiveType type : geometry_.primitive_types) ++count[static_cast<std::size_t>(type)];
    constexpr const char* kinds[] = {" Polygons\n", " Open Polygons\n", " Tetrahedra\n"};
    std::string primitives, attributes;
    for (std::size_t k = 0; k < 3; ++k)
      if (count[k] > 0) primitives += std::to_string(count[k]) + kinds[k];
    for (std::size_t o = 0; o < kOwners; ++o) {
      if (geometry_.attributes[o].empty()) continue;
      attributes += std::to_string(geometry_.attributes[o].size()) + " " + name_of(static_cast<Owner>(o)) +
                    " attributes:";
      for (const Attribute& a : geometry_.attributes[o]) attributes += "\t" + a.name;
      attributes += "\n";
    }
    json_->key("primcount_summary");
    json_->text(primitives);
    json_->key("attribute_summary");
    json_->text(attributes);
  }

  void topology() {
    json_->text("topology");
    json_->begin_array();
    json_->text("pointref");
    json_->begin_array();
    json_->text("indices");
    json_->numbers(reordered(geometry_.vertex_points, 1));
    json_->end_array();
    json_->end_array();
  }

  void attributes() {
    constexpr std::pair<Owner, const char*> sections[] = {{Owner::Vertex, "vertexattributes"},
                                                          {Owner::Point, "pointattributes"},
                                                          {Owner::Primitive, "primitiveattributes"},
                                                          {Owner::Detail, "globalattributes"}};
    json_->text("attributes");
    json_->begin_array();
    for (const auto& [owner, name] : sections) {
      const auto& list = geometry_.attributes[static_cast<std::size_t>(owner)];
      if (list.empty()) continue;
      json_->text(name);
      json_->begin_array();
      for (const Attribute& a : list) attribute(a, owner);
      json_->end_array();
    }
    json_->end_array();
  }

  void attribute(const Attribute& a, Owner owner) {
    const bool strings = std::holds_alternative<StringValues>(a.values);
    const bool dicts = std::holds_alternative<DictValues>(a.values);
    if (dicts && a.is_array())
      throw Error("attribute '" + a.name + "': arrays of dictionaries cannot be written to Houdini's files");
    json_->begin_array();
    json_->begin_array();
    field("scope", "public");
    field("type", dicts     ? "dict"
                  : strings ? (a.is_array() ? "stringarray" : "string")
                            : (a.is_array() ? "arraydata" : "numeric"));
    field("name", a.name);
    json_->text("options");
    json_->begin_object();
    if (!a.type_info.empty()) {
      json_->key("type");
      json_->begin_object();
      json_->key("type");
      json_->text("string");
      json_->key("value");
      json_->text(a.type_info);
      json_->end_object();
    }
    json_->end_object();
    json_->end_array();
    json_->begin_array();
    field("size", a.tuple_size);
    field("storage", strings || dicts ? "int32" : storage_name(a.values));
    if (strings || dicts) {
      table(strings ? std::get<StringValues>(a.values) : std::get<DictValues>(a.values), dicts);
    } else {
      defaults(a);
    }
    json_->text(strings || dicts ? "indices" : "values");
    std::visit(
        [&](const auto& v) {
          if constexpr (std::is_base_of_v<StringValues, std::decay_t<decltype(v)>>) {
            values(v.indices, "int32", a, owner);
          } else {
            values(v, storage_name(a.values), a, owner);
          }
        },
        a.values);
    json_->end_array();
    json_->end_array();
  }

  void defaults(const Attribute& a) {
    json_->text("defaults");
    json_->begin_array();
    field("size", static_cast<int>(a.defaults.size()));
    field("storage", "fpreal64");
    json_->text("values");
    json_->numbers(a.defaults);
    json_->end_array();
  }

  void table(const StringValues& values, bool dicts) {
    json_->text(dicts ? "dicts" : "strings");
    json_->begin_array();
    for (const std::string& item : values.table) {
      if (dicts) {
        json_->value(parse_json_text(item));
      } else {
        json_->text(item);
      }
    }
    json_->end_array();
  }

  template <class T>
  void values(const std::vector<T>& all, const char* storage, const Attribute& a, Owner owner) {
    if (a.is_array()) return arrays(all, a, owner);
    const auto tuple = static_cast<std::size_t>(a.tuple_size);
    const bool moved = owner == Owner::Vertex;
    const std::vector<T> copy = moved ? reordered(all, tuple) : std::vector<T>{};
    const std::vector<T>& v = moved ? copy : all;
    json_->begin_array();
    field("size", a.tuple_size);
    field("storage", storage);
    if (!text_) {
      pages(v, tuple);
    } else if (tuple == 1) {
      json_->text("arrays");
      json_->begin_array();
      json_->numbers(v);
      json_->end_array();
    } else {
      json_->text("tuples");
      json_->begin_array();
      for (std::size_t i = 0; i < v.size(); i += tuple) json_->numbers(v.data() + i, tuple);
      json_->end_array();
    }
    json_->end_array();
  }

  /// Pages of 1024 elements; a page whose elements are all the same stores one of them.
  template <class T>
  void pages(const std::vector<T>& v, std::size_t tuple) {
    const std::size_t page = kPage * tuple;
    std::vector<std::uint8_t> constant((v.size() + page - 1) / page);
    for (std::size_t i = 0; i < constant.size(); ++i) {
      const std::size_t begin = i * page, size = std::min(page, v.size() - begin);
      constant[i] =
          size > tuple && std::memcmp(&v[begin], &v[begin + tuple], (size - tuple) * sizeof(T)) == 0;
    }
    json_->text("pagesize");
    json_->integer(kPage);
    if (std::find(constant.begin(), constant.end(), 1) == constant.end()) {
      json_->text("rawpagedata");
      json_->numbers(v);
      return;
    }
    json_->text("constantpageflags");
    json_->begin_array();
    json_->booleans(constant);
    json_->end_array();
    std::vector<T> data;
    for (std::size_t i = 0; i < constant.size(); ++i) {
      const auto begin = v.begin() + static_cast<std::ptrdiff_t>(i * page);
      const std::size_t size = constant[i] ? tuple : std::min(page, v.size() - i * page);
      data.insert(data.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    json_->text("rawpagedata");
    json_->numbers(data);
  }

  template <class T>
  void arrays(const std::vector<T>& v, const Attribute& a, Owner owner) {
    json_->begin_array();
    for (std::size_t i = 0; i + 1 < a.starts.size(); ++i) {
      const std::size_t element = owner == Owner::Vertex ? static_cast<std::size_t>(order_[i]) : i;
      const std::int64_t begin = a.starts[element], end = a.starts[element + 1];
      json_->numbers(v.data() + begin, static_cast<std::size_t>(end - begin));
    }
    json_->end_array();
  }

  void primitives() {
    json_->text("primitives");
    json_->begin_array();
    const auto& types = geometry_.primitive_types;
    for (std::size_t begin = 0, end = 0; begin < types.size(); begin = end) {
      while (end < types.size() && types[end] == types[begin]) ++end;
      run(begin, end);
    }
    json_->end_array();
  }

  /// Primitives of one type that follow one another.
  void run(std::size_t begin, std::size_t end) {
    constexpr const char* names[] = {"Polygon_run", "PolygonCurve_run", "Tetrahedron_run"};
    const PrimitiveType type = geometry_.primitive_types[begin];
    json_->begin_array();
    json_->begin_array();
    field("type", names[static_cast<std::size_t>(type)]);
    json_->end_array();
    json_->begin_array();
    field("startvertex", geometry_.primitive_starts[begin]);
    field("nprimitives", static_cast<int>(end - begin));
    if (type != PrimitiveType::Tetrahedron) {
      std::vector<int> lengths;
      for (std::size_t i = begin; i < end; ++i) {
        const int n = geometry_.primitive_starts[i + 1] - geometry_.primitive_starts[i];
        if (lengths.empty() || lengths[lengths.size() - 2] != n) lengths.insert(lengths.end(), {n, 0});
        ++lengths.back();
      }
      json_->text("nvertices_rle");
      json_->numbers(lengths);
    }
    json_->end_array();
    json_->end_array();
  }

  void groups(Owner owner, const char* section) {
    bool any = false;
    for (const Group& group : geometry_.groups) {
      if (group.owner != owner) continue;
      if (!any) {
        json_->text(section);
        json_->begin_array();
      }
      any = true;
      json_->begin_array();
      json_->begin_array();
      field("name", group.name);
      json_->end_array();
      json_->begin_array();
      json_->text("selection");
      json_->begin_array();
      selection(group);
      json_->end_array();
      json_->end_array();
      json_->end_array();
    }
    if (any) json_->end_array();
  }

  void selection(const Group& group) {
    const bool moved = group.owner == Owner::Vertex;
    if (!group.order.empty()) {
      std::vector<int> order = group.order;
      // The reordering is its own inverse, so it also gives the new place of a vertex.
      if (moved)
        for (int& element : order) element = order_[static_cast<std::size_t>(element)];
      json_->text("ordered");
      json_->numbers(order);
      return;
    }
    const std::vector<std::uint8_t> members = moved ? reordered(group.members, 1) : group.members;
    json_->text("unordered");
    json_->begin_array();
    json_->text("boolRLE");
    json_->begin_array();
    for (std::size_t begin = 0, end = 0; begin < members.size(); begin = end) {
      while (end < members.size() && members[end] == members[begin]) ++end;
      json_->integer(static_cast<std::int64_t>(end - begin));
      json_->boolean(members[begin] != 0);
    }
    json_->end_array();
    json_->end_array();
  }

  void edge_groups() {
    if (geometry_.edge_groups.empty()) return;
    json_->text("edgegroups");
    json_->begin_array();
    for (const EdgeGroup& group : geometry_.edge_groups) {
      json_->begin_array();
      json_->begin_array();
      field("name", group.name);
      json_->end_array();
      json_->begin_array();
      json_->text("points");
      std::vector<int> points;
      for (const auto& edge : group.edges) points.insert(points.end(), edge.begin(), edge.end());
      json_->numbers(points);
      json_->end_array();
      json_->end_array();
    }
    json_->end_array();
  }
};

}  // namespace

std::string write_houdini(const Geometry& geometry, HoudiniEncoding encoding) {
  check(geometry);
  std::string bytes = Writer(geometry, encoding == HoudiniEncoding::Text).document();
  if (encoding == HoudiniEncoding::Compressed) return compress_sc(bytes);
  return bytes;
}

}  // namespace verve
