#include <algorithm>
#include <array>

#include "bgeo/HoudiniAttributeWriter.h"
#include "bgeo/HoudiniFile.h"
#include "bgeo/HoudiniJsonWriter.h"
#include "bgeo/ScFile.h"

namespace verve {

namespace {

constexpr const char* kFileVersion = "18.5.351";
constexpr const char* kSoftware = "Verve " VERVE_VERSION;

class Writer {
 public:
  Writer(const Geometry& geometry, bool text)
      : geometry_(geometry),
        order_(reversed_vertices(geometry)),
        json_(text ? make_json_text_writer(true) : make_json_binary_writer()),
        values_(*json_, text, order_) {}

  std::string document() {
    json_->reserve(size_estimate());
    json_->begin_array();
    write_field(*json_, "fileversion", kFileVersion);
    json_->text("hasindex");
    json_->boolean(false);
    write_field(*json_, "pointcount", geometry_.point_count);
    write_field(*json_, "vertexcount", geometry_.vertex_count());
    write_field(*json_, "primitivecount", geometry_.primitive_count());
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
  const std::vector<int> order_;
  std::unique_ptr<JsonWriter> json_;
  HoudiniAttributeWriter values_;

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
    json_->numbers(reordered(order_, geometry_.vertex_points, 1));
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
      for (const Attribute& a : list) values_.attribute(a, owner);
      json_->end_array();
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
    write_field(*json_, "type", names[static_cast<std::size_t>(type)]);
    json_->end_array();
    json_->begin_array();
    write_field(*json_, "startvertex", geometry_.primitive_starts[begin]);
    write_field(*json_, "nprimitives", static_cast<int>(end - begin));
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
      write_field(*json_, "name", group.name);
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
    const std::vector<std::uint8_t> members = moved ? reordered(order_, group.members, 1) : group.members;
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
      write_field(*json_, "name", group.name);
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
