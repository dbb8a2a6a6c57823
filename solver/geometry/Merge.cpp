#include "geometry/Merge.h"

namespace verve {
namespace {

template <class V>
constexpr bool is_text_v = std::is_base_of_v<StringValues, std::decay_t<V>>;

/// Lengthens an attribute to `elements`, with its defaults.
void fill_up(Attribute& a, std::size_t elements) {
  const auto tuple = std::size_t(a.tuple_size);
  if (a.is_array()) {
    a.starts.resize(elements + 1, a.starts.back());
    return;
  }
  std::visit(
      [&](auto& v) {
        if constexpr (is_text_v<decltype(v)>) {
          v.indices.resize(elements * tuple, -1);
        } else {
          using T = typename std::decay_t<decltype(v)>::value_type;
          for (std::size_t i = v.size(); i < elements * tuple; ++i) {
            const double d = a.defaults.empty() ? 0.0 : a.defaults[i % tuple % a.defaults.size()];
            if constexpr (std::is_same_v<T, Half>)
              v.push_back(Half(float(d)));
            else
              v.push_back(T(d));
          }
        }
      },
      a.values);
}

Attribute as_doubles(const Attribute& a, int tuple_size) {
  const std::size_t tuple = std::size_t(a.tuple_size), wide = std::size_t(tuple_size);
  std::vector<double> values(a.size() / tuple * wide);
  for (std::size_t i = 0; i < a.size(); ++i) values[i / tuple * wide + i % tuple] = a.number(i);
  return {a.name, a.type_info, tuple_size, std::move(values), {}, {0}};
}

/// Appends the elements of `b`, which is of the same storage and size.
void append_values(Attribute& a, const Attribute& b) {
  if (a.is_array()) {
    const std::int64_t first = a.starts.back();
    for (std::size_t i = 1; i < b.starts.size(); ++i) a.starts.push_back(first + b.starts[i]);
  }
  std::visit(
      [&](auto& v) {
        const auto& w = std::get<std::decay_t<decltype(v)>>(b.values);
        if constexpr (is_text_v<decltype(v)>) {
          std::vector<int> place;
          for (const std::string& text : w.table) place.push_back(v.index_of(text));
          for (const int i : w.indices) v.indices.push_back(i < 0 ? -1 : place[std::size_t(i)]);
        } else {
          v.insert(v.end(), w.begin(), w.end());
        }
      },
      a.values);
}

void append_attribute(Geometry& to, Owner owner, std::size_t elements_before, const Attribute& from) {
  Attribute* a = to.find(owner, from.name);
  if (!a) {
    Attribute empty{from.name, from.type_info, from.tuple_size, {}, {}, from.defaults};
    std::visit([&](const auto& v) { empty.values = std::decay_t<decltype(v)>{}; }, from.values);
    if (from.is_array()) empty.starts = {0};
    fill_up(empty, elements_before);
    a = &to.put(owner, std::move(empty));
  }
  const bool alike = a->values.index() == from.values.index() && a->tuple_size == from.tuple_size;
  if (a->is_array() != from.is_array() || (!alike && (a->is_array() || a->is_text() || from.is_text())))
    throw Error(std::string("the ") + name_of(owner) + " attribute '" + from.name +
                "' is of one kind in one part and of another in the next; rename one of them");
  if (alike) return append_values(*a, from);
  const int tuple = std::max(a->tuple_size, from.tuple_size);
  *a = as_doubles(*a, tuple);
  append_values(*a, as_doubles(from, tuple));
}

Group& group_of(Geometry& geometry, const Group& like) {
  for (Group& group : geometry.groups)
    if (group.owner == like.owner && group.name == like.name) return group;
  return geometry.groups.emplace_back(Group{like.name, like.owner, {}, {}});
}

EdgeGroup& edge_group_of(Geometry& geometry, const std::string& name) {
  for (EdgeGroup& group : geometry.edge_groups)
    if (group.name == name) return group;
  return geometry.edge_groups.emplace_back(EdgeGroup{name, {}});
}

}  // namespace

void append(Geometry& to, const Geometry& from) {
  std::array<int, kOwners> before;
  for (int o = 0; o < kOwners; ++o) before[std::size_t(o)] = to.count(Owner(o));
  const int first_point = to.point_count, first_vertex = to.vertex_count();
  to.point_count += from.point_count;
  for (const int p : from.vertex_points) to.vertex_points.push_back(first_point + p);
  for (std::size_t i = 1; i < from.primitive_starts.size(); ++i)
    to.primitive_starts.push_back(first_vertex + from.primitive_starts[i]);
  to.primitive_types.insert(to.primitive_types.end(), from.primitive_types.begin(),
                            from.primitive_types.end());

  for (std::size_t o = 0; o < kOwners; ++o) {
    const auto owner = Owner(o);
    if (owner == Owner::Detail) {
      for (const Attribute& a : from.attributes[o])
        if (!to.find(owner, a.name)) to.put(owner, a);
      continue;
    }
    for (const Attribute& a : from.attributes[o]) append_attribute(to, owner, std::size_t(before[o]), a);
    for (Attribute& a : to.attributes[o]) fill_up(a, std::size_t(to.count(owner)));
  }
  for (const Group& group : from.groups) {
    Group& merged = group_of(to, group);
    const int first = before[std::size_t(group.owner)];
    merged.members.resize(std::size_t(first), 0);
    merged.members.insert(merged.members.end(), group.members.begin(), group.members.end());
    for (const int i : group.order) merged.order.push_back(first + i);
  }
  for (Group& group : to.groups) group.members.resize(std::size_t(to.count(group.owner)), 0);
  for (const EdgeGroup& group : from.edge_groups)
    for (const auto& edge : group.edges)
      edge_group_of(to, group.name).edges.push_back({first_point + edge[0], first_point + edge[1]});
}

}  // namespace verve
