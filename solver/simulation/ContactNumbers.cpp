#include "simulation/ContactNumbers.h"

#include <algorithm>
#include <map>

#include "contact/Skin.h"

namespace verve {

std::vector<std::array<int, 3>> surface_of(const Body& body, int first) {
  std::vector<std::array<int, 3>> triangles = body.surface;
  for (auto& triangle : triangles)
    for (int& p : triangle) p += first;
  return triangles;
}

std::vector<ContactBody> contact_bodies(const Scene& scene, const System& system) {
  const bool apart = scene.contact.between && system.pieces > 1 && !scene.contact.self;
  std::vector<ContactBody> bodies;
  int first = 0;
  for (const Body& body : scene.bodies) {
    std::map<int, ContactBody> skins;
    const auto skin_of = [&](int p) -> ContactBody& {
      ContactBody& skin = skins[apart ? system.piece[std::size_t(p)] : 0];
      skin.name = body.name;
      return skin;
    };
    for (const auto& triangle : surface_of(body, first)) skin_of(triangle[0]).triangles.push_back(triangle);
    for (const auto& line : body.lines)
      skin_of(first + line[0]).lines.push_back({first + line[0], first + line[1]});
    for (auto& skin : skins) bodies.push_back(std::move(skin.second));
    first += int(body.rest.size());
  }
  return bodies;
}

ContactNumbers::ContactNumbers(const Scene& scene, const System& system) {
  std::vector<int> body_of_point;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    body_of_point.insert(body_of_point.end(), scene.bodies[b].rest.size(), int(b));
  for (const ContactBody& skin : contact_bodies(scene, system)) {
    std::vector<std::array<int, 3>> triangles = skin.triangles;
    for (const auto& line : skin.lines) triangles.push_back({line[0], line[1], line[1]});
    body.push_back(body_of_point[std::size_t(triangles[0][0])]);
    first_edge.push_back(first_edge.back() +
                         int(Skin(triangles, system.rest, skin.name).surface().edges.size()));
  }
}

int ContactNumbers::skin_of_edge(int edge) const {
  return int(std::upper_bound(first_edge.begin(), first_edge.end(), edge) - first_edge.begin()) - 1;
}

std::array<int, 2> ContactNumbers::bodies_of(const ContactKey& key,
                                             const std::vector<int>& body_of_point) const {
  const auto of_point = [&](int i) { return body_of_point[std::size_t(i)]; };
  const auto of_edge = [&](int edge) { return body[std::size_t(skin_of_edge(edge))]; };
  switch (key.kind) {
    case PairKind::point_collider:
      return {-1, of_point(key.a)};
    case PairKind::point_triangle:
      return {of_point(key.a), body[std::size_t(key.skin)]};
    case PairKind::collider_point_triangle:
      return {-1, body[std::size_t(key.skin)]};
    case PairKind::edge_edge:
      return {of_edge(key.a), of_edge(key.b)};
    case PairKind::collider_edge_edge:
      return {-1, of_edge(key.b)};
  }
  return {-1, -1};
}

ContactKey renumbered(ContactKey key, const ContactNumbers& from, const ContactNumbers& to,
                      const std::function<int(int)>& point, const std::function<int(int)>& skin) {
  const auto edge = [&](int number) {
    const int s = from.skin_of_edge(number);
    return to.first_edge[std::size_t(skin(s))] + number - from.first_edge[std::size_t(s)];
  };
  const bool edges = key.kind == PairKind::edge_edge || key.kind == PairKind::collider_edge_edge;
  if (key.kind == PairKind::point_collider || key.kind == PairKind::point_triangle) key.a = point(key.a);
  if (key.kind == PairKind::edge_edge) key.a = edge(key.a);
  if (key.skin >= 0) key.skin = skin(key.skin);
  if (edges) key.b = edge(key.b);
  return key;
}

}  // namespace verve
