#include "geometry/Subset.h"

#include <algorithm>

namespace verve {
namespace {

/// The attributes and groups of an owner, at the elements listed in `kept`.
void select(Geometry& geometry, Owner owner, const std::vector<int>& kept) {
  const auto elements = static_cast<std::size_t>(geometry.count(owner));
  for (Attribute& a : geometry.attributes[static_cast<std::size_t>(owner)]) select_elements(a, kept);
  std::vector<int> place(elements, -1);
  for (std::size_t i = 0; i < kept.size(); ++i) place[static_cast<std::size_t>(kept[i])] = int(i);
  for (Group& group : geometry.groups) {
    if (group.owner != owner) continue;
    select_tuples(group.members, kept, 1);
    for (int& element : group.order) element = place[static_cast<std::size_t>(element)];
    group.order.erase(std::remove(group.order.begin(), group.order.end(), -1), group.order.end());
  }
  if (owner != Owner::Point) return;
  for (EdgeGroup& group : geometry.edge_groups) {
    for (auto& edge : group.edges)
      for (int& p : edge) p = place[static_cast<std::size_t>(p)];
    group.edges.erase(std::remove_if(group.edges.begin(), group.edges.end(),
                                     [](const auto& edge) { return edge[0] < 0 || edge[1] < 0; }),
                      group.edges.end());
  }
  for (int& p : geometry.vertex_points) p = place[static_cast<std::size_t>(p)];
}

std::vector<int> marked(const std::vector<std::uint8_t>& keep) {
  std::vector<int> kept;
  for (std::size_t i = 0; i < keep.size(); ++i)
    if (keep[i]) kept.push_back(int(i));
  return kept;
}

}  // namespace

void keep_points(Geometry& geometry, const std::vector<std::uint8_t>& keep) {
  const std::vector<int> kept = marked(keep);
  select(geometry, Owner::Point, kept);
  geometry.point_count = int(kept.size());
}

void keep_primitives(Geometry& geometry, const std::vector<std::uint8_t>& keep) {
  const std::vector<int> kept = marked(keep);
  std::vector<int> vertices, starts = {0};
  std::vector<PrimitiveType> types;
  for (const int i : kept) {
    const auto p = static_cast<std::size_t>(i);
    for (int j = geometry.primitive_starts[p]; j < geometry.primitive_starts[p + 1]; ++j)
      vertices.push_back(j);
    starts.push_back(int(vertices.size()));
    types.push_back(geometry.primitive_types[p]);
  }
  select(geometry, Owner::Primitive, kept);
  select(geometry, Owner::Vertex, vertices);
  select_tuples(geometry.vertex_points, vertices, 1);
  geometry.primitive_starts = std::move(starts);
  geometry.primitive_types = std::move(types);
  std::vector<std::uint8_t> used(static_cast<std::size_t>(geometry.point_count), 0);
  for (const int p : geometry.vertex_points) used[static_cast<std::size_t>(p)] = 1;
  keep_points(geometry, used);
}

}  // namespace verve
