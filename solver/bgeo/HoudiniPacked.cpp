#include "bgeo/HoudiniPacked.h"

#include <Eigen/LU>

#include "geometry/Subset.h"

namespace verve {
namespace {

/// Calls f with the numbers of every element, three at a time, if they are floats.
template <class F>
void change_triples(Attribute& a, F&& f) {
  std::visit(
      [&](auto& v) {
        if constexpr (!std::is_base_of_v<StringValues, std::decay_t<decltype(v)>>) {
          using T = typename std::decay_t<decltype(v)>::value_type;
          if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half>) {
            const auto tuple = static_cast<std::size_t>(a.tuple_size);
            for (std::size_t i = 0; i + tuple <= v.size(); i += tuple) {
              const auto number = [&](std::size_t k) {
                if constexpr (std::is_same_v<T, Half>)
                  return static_cast<double>(static_cast<float>(v[i + k]));
                else
                  return static_cast<double>(v[i + k]);
              };
              const Vec3 value = f(Vec3(number(0), number(1), number(2)));
              for (std::size_t k = 0; k < 3; ++k) {
                const double result = value[static_cast<Eigen::Index>(k)];
                if constexpr (std::is_same_v<T, Half>)
                  v[i + k] = Half(static_cast<float>(result));
                else
                  v[i + k] = static_cast<T>(result);
              }
            }
          }
        }
      },
      a.values);
}

bool is_fragment(const Geometry& geometry, const PackedPrimitive& packed, std::vector<std::uint8_t>& keep) {
  const Attribute* a = geometry.find(Owner::Primitive, packed.attribute);
  const bool whole = a && std::holds_alternative<StringValues>(a->values) && !a->is_array();
  if (!whole || a->tuple_size != 1) return false;
  keep.resize(geometry.primitive_types.size());
  for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = a->text(i) == packed.name;
  return true;
}

}  // namespace

bool is_packed(const std::string& type) {
  return type == "PackedGeometry" || type == "PackedFragment";
}

PackedPrimitive read_packed(const std::string& type, const std::map<std::string, const JsonValue*>& fields) {
  PackedPrimitive packed;
  packed.type = type;
  const auto field = [&](const char* name) {
    const auto found = fields.find(name);
    return found == fields.end() ? nullptr : found->second;
  };
  if (const JsonValue* parameters = field("parameters")) {
    const auto text = [&](const char* key) {
      const JsonValue* value = parameters->find(key);
      return value && value->is_text() ? std::string(value->text(key)) : std::string();
    };
    packed.embedded = text("embedded");
    packed.attribute = text("attribute");
    packed.name = text("name");
    const JsonValue* instanced = parameters->find("pointinstancetransform");
    packed.instanced = instanced && instanced->integer("pointinstancetransform") != 0;
  }
  if (const JsonValue* vertex = field("vertex"))
    packed.vertex =
        static_cast<int>(vertex->is_array() ? vertex->integer_at(0, "vertex") : vertex->integer("vertex"));
  if (const JsonValue* pivot = field("pivot")) pivot->copy(0, 3, packed.pivot.data(), "pivot");
  if (const JsonValue* transform = field("transform"))
    for (Eigen::Index k = 0; k < 9; ++k)
      packed.turn(k / 3, k % 3) = transform->real_at(static_cast<std::size_t>(k), "transform");
  return packed;
}

Geometry unpacked(const PackedPrimitive& packed, Geometry geometry, const Vec3& centre) {
  if (std::vector<std::uint8_t> keep; !packed.attribute.empty() && is_fragment(geometry, packed, keep))
    keep_primitives(geometry, keep);
  const Mat3 turn = packed.turn.transpose();
  const double volume = turn.determinant();
  // Normals turn with the inverse transpose, so that they stay square to their surface.
  const Mat3 normal_turn = volume != 0.0 ? Mat3(turn.inverse().transpose()) : turn;
  for (const Owner owner : {Owner::Point, Owner::Vertex, Owner::Primitive})
    for (Attribute& a : geometry.attributes[static_cast<std::size_t>(owner)]) {
      if (a.tuple_size < 3 || a.is_array()) continue;
      if (owner == Owner::Point && a.name == "P") {
        change_triples(a, [&](const Vec3& p) -> Vec3 { return turn * (p - packed.pivot) + centre; });
      } else if (a.type_info == "vector") {
        change_triples(a, [&](const Vec3& v) -> Vec3 { return turn * v; });
      } else if (a.type_info == "normal") {
        change_triples(a, [&](const Vec3& n) -> Vec3 {
          const Vec3 turned = normal_turn * n;
          return turned.norm() > 0.0 ? Vec3(n.norm() / turned.norm() * turned) : turned;
        });
      }
    }
  // A mirrored copy would be inside out.
  if (volume < 0.0) reorder_vertices(geometry, reversed_vertices(geometry));
  return geometry;
}

}  // namespace verve
