#include "geometry/Geometry.h"

#include <algorithm>
#include <limits>

namespace verve {

namespace {

template <class Items>
auto find_named(Items& items, const std::string& name) -> decltype(&items.front()) {
  for (auto& item : items)
    if (item.name == name) return &item;
  return nullptr;
}

const Attribute& positions_of(const Geometry& geometry) {
  const Attribute* p = geometry.find(Owner::Point, "P");
  if (!p || p->tuple_size < 3 || p->is_array() || p->is_text())
    throw Error("the geometry has no point attribute P with three components");
  return *p;
}

/// Calls f(x, y, z) for every point in order.
template <class F>
void for_each_position(const Geometry& geometry, F f) {
  const Attribute& p = positions_of(geometry);
  const auto tuple = static_cast<std::size_t>(p.tuple_size),
             count = static_cast<std::size_t>(geometry.point_count);
  if (p.size() < tuple * count) throw Error("the point attribute P has fewer values than there are points");
  std::visit(
      [&](const auto& values) {
        if constexpr (!std::is_base_of_v<StringValues, std::decay_t<decltype(values)>>) {
          for (std::size_t i = 0; i < count * tuple; i += tuple)
            f(static_cast<double>(values[i]), static_cast<double>(values[i + 1]),
              static_cast<double>(values[i + 2]));
        }
      },
      p.values);
}

}  // namespace

int Geometry::count(Owner owner) const {
  switch (owner) {
    case Owner::Point:
      return point_count;
    case Owner::Vertex:
      return vertex_count();
    case Owner::Primitive:
      return primitive_count();
    case Owner::Detail:
      return 1;
  }
  return 0;
}

int Geometry::add_primitive(PrimitiveType type, const int* points, int count) {
  vertex_points.insert(vertex_points.end(), points, points + count);
  primitive_starts.push_back(vertex_count());
  primitive_types.push_back(type);
  return primitive_count() - 1;
}

const Attribute* Geometry::find(Owner owner, const std::string& name) const {
  return find_named(attributes[static_cast<std::size_t>(owner)], name);
}

Attribute* Geometry::find(Owner owner, const std::string& name) {
  return find_named(attributes[static_cast<std::size_t>(owner)], name);
}

Attribute& Geometry::put(Owner owner, Attribute attribute) {
  if (Attribute* there = find(owner, attribute.name)) return *there = std::move(attribute);
  return attributes[static_cast<std::size_t>(owner)].emplace_back(std::move(attribute));
}

StringValues& Geometry::add_strings(Owner owner, const std::string& name) {
  StringValues empty{{}, std::vector<int>(static_cast<std::size_t>(count(owner)), -1)};
  return std::get<StringValues>(put(owner, Attribute{name, "", 1, std::move(empty), {}, {0}}).values);
}

Group& Geometry::add_group(Owner owner, const std::string& name) {
  return groups.emplace_back(
      Group{name, owner, std::vector<std::uint8_t>(static_cast<std::size_t>(count(owner))), {}});
}

const Group* Geometry::find_group(Owner owner, const std::string& name) const {
  for (const Group& group : groups)
    if (group.owner == owner && group.name == name) return &group;
  return nullptr;
}

void Geometry::set_positions(const Vector& x) {
  point_count = static_cast<int>(x.size() / 3);
  auto& p = add<float>(Owner::Point, "P", 3, "point");
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = static_cast<float>(x[static_cast<Eigen::Index>(i)]);
}

Vec3 Geometry::position(int point) const {
  const Attribute& p = positions_of(*this);
  const std::size_t at = static_cast<std::size_t>(point) * static_cast<std::size_t>(p.tuple_size);
  return {p.number(at), p.number(at + 1), p.number(at + 2)};
}

Vector Geometry::positions() const {
  Vector x(3 * static_cast<Eigen::Index>(point_count));
  for_each_position(*this, [out = x.data()](double a, double b, double c) mutable {
    *out++ = a;
    *out++ = b;
    *out++ = c;
  });
  return x;
}

std::optional<std::array<Vec3, 2>> bounding_box(const Geometry& geometry) {
  if (geometry.point_count == 0) return std::nullopt;
  constexpr double inf = std::numeric_limits<double>::infinity();
  double low[] = {inf, inf, inf}, high[] = {-inf, -inf, -inf};
  for_each_position(geometry, [&](double a, double b, double c) {
    const double p[] = {a, b, c};
    for (int k = 0; k < 3; ++k) {
      low[k] = p[k] < low[k] ? p[k] : low[k];
      high[k] = p[k] > high[k] ? p[k] : high[k];
    }
  });
  return std::array<Vec3, 2>{Vec3(low), Vec3(high)};
}

std::vector<int> reversed_vertices(const Geometry& geometry) {
  std::vector<int> order(geometry.vertex_points.size());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<int>(j);
  for (int i = 0; i < geometry.primitive_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (geometry.primitive_types[at] == PrimitiveType::Polyline) continue;
    const int begin = geometry.primitive_starts[at], end = geometry.primitive_starts[at + 1];
    // A tetrahedron swaps its last two vertices and keeps the second, so that it stays one swap.
    const int skip = geometry.primitive_types[at] == PrimitiveType::Tetrahedron ? 2 : 1;
    if (end - begin > skip) std::reverse(order.begin() + begin + skip, order.begin() + end);
  }
  return order;
}

void reorder_vertices(Geometry& geometry, const std::vector<int>& order) {
  select_tuples(geometry.vertex_points, order, 1);
  for (Attribute& a : geometry.attributes[static_cast<std::size_t>(Owner::Vertex)]) select_elements(a, order);
  for (Group& group : geometry.groups) {
    if (group.owner != Owner::Vertex) continue;
    select_tuples(group.members, order, 1);
    for (int& vertex : group.order) vertex = order[static_cast<std::size_t>(vertex)];
  }
}

namespace {

void check_attribute(const Geometry& geometry, Owner owner, const Attribute& a) {
  const std::string what = std::string(name_of(owner)) + " attribute '" + a.name + "'";
  const auto elements = static_cast<std::size_t>(geometry.count(owner));
  if (a.tuple_size < 1) throw Error(what + " has a tuple size below one");
  const auto tuple = static_cast<std::size_t>(a.tuple_size);
  if (a.is_array()) {
    if (a.starts.size() != elements + 1 || a.starts.front() != 0 ||
        a.starts.back() != static_cast<std::int64_t>(a.size()) ||
        !std::is_sorted(a.starts.begin(), a.starts.end()))
      throw Error(what + " has array bounds that do not fit its values");
  } else if (a.size() != elements * tuple) {
    throw Error(what + " has " + std::to_string(a.size()) + " values where " + std::to_string(elements) +
                " elements need " + std::to_string(elements * tuple));
  }
  if (!a.is_text()) return;
  const StringValues* strings = std::get_if<StringValues>(&a.values);
  if (!strings) strings = &std::get<DictValues>(a.values);
  for (const int index : strings->indices)
    if (index < -1 || index >= static_cast<int>(strings->table.size()))
      throw Error(what + " refers to a string that is not in its table");
}

}  // namespace

void check(const Geometry& geometry) {
  const auto& starts = geometry.primitive_starts;
  if (geometry.point_count < 0 || starts.size() != geometry.primitive_types.size() + 1 ||
      starts.front() != 0 || starts.back() != geometry.vertex_count() ||
      !std::is_sorted(starts.begin(), starts.end()))
    throw Error("the geometry's primitives do not fit its vertices");
  for (int i = 0; i < geometry.primitive_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (geometry.primitive_types[at] == PrimitiveType::Tetrahedron && starts[at + 1] - starts[at] != 4)
      throw Error("primitive " + std::to_string(i) + " is a tetrahedron but has " +
                  std::to_string(starts[at + 1] - starts[at]) + " vertices");
  }
  for (int j = 0; j < geometry.vertex_count(); ++j) {
    const int p = geometry.vertex_points[static_cast<std::size_t>(j)];
    if (p < 0 || p >= geometry.point_count)
      throw Error("vertex " + std::to_string(j) + " refers to point " + std::to_string(p) +
                  ", but there are " + std::to_string(geometry.point_count) + " points");
  }
  for (int o = 0; o < kOwners; ++o)
    for (const Attribute& a : geometry.attributes[static_cast<std::size_t>(o)])
      check_attribute(geometry, static_cast<Owner>(o), a);
  for (const Group& group : geometry.groups)
    if (group.members.size() != static_cast<std::size_t>(geometry.count(group.owner)))
      throw Error(std::string(name_of(group.owner)) + " group '" + group.name +
                  "' does not fit the geometry");
}

void add_to(Fingerprint& sum, const Geometry& geometry) {
  const auto add = [&sum](const auto& values) {
    const std::size_t size = values.size();
    sum.add(&size, sizeof size);
    if (size) sum.add(values.data(), size * sizeof(values[0]));
  };
  sum.add(&geometry.point_count, sizeof geometry.point_count);
  add(geometry.vertex_points), add(geometry.primitive_starts), add(geometry.primitive_types);
  for (const auto& list : geometry.attributes)
    for (const Attribute& a : list) {
      sum.add(a.name);
      sum.add(&a.tuple_size, sizeof a.tuple_size);
      add(a.starts);
      std::visit(
          [&](const auto& values) {
            if constexpr (std::is_base_of_v<StringValues, std::decay_t<decltype(values)>>) {
              for (std::size_t i = 0; i < values.indices.size(); ++i) sum.add(values.at(i));
            } else {
              add(values);
            }
          },
          a.values);
    }
  for (const Group& group : geometry.groups) sum.add(group.name), add(group.members), add(group.order);
  for (const EdgeGroup& group : geometry.edge_groups) sum.add(group.name), add(group.edges);
}

bool same(const Geometry& a, const Geometry& b) {
  if (a.point_count != b.point_count || a.vertex_points != b.vertex_points ||
      a.primitive_starts != b.primitive_starts || a.primitive_types != b.primitive_types)
    return false;
  for (std::size_t o = 0; o < kOwners; ++o)
    if (!std::equal(a.attributes[o].begin(), a.attributes[o].end(), b.attributes[o].begin(),
                    b.attributes[o].end(), [](const Attribute& x, const Attribute& y) { return same(x, y); }))
      return false;
  const auto same_group = [](const Group& x, const Group& y) {
    return x.name == y.name && x.owner == y.owner && x.members == y.members && x.order == y.order;
  };
  const auto same_edges = [](const EdgeGroup& x, const EdgeGroup& y) {
    return x.name == y.name && x.edges == y.edges;
  };
  return std::equal(a.groups.begin(), a.groups.end(), b.groups.begin(), b.groups.end(), same_group) &&
         std::equal(a.edge_groups.begin(), a.edge_groups.end(), b.edge_groups.begin(), b.edge_groups.end(),
                    same_edges);
}

}  // namespace verve
