#include "simulation/ContactNumbers.h"

#include <algorithm>
#include <map>

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

ContactNumbers::ContactNumbers(const Scene& scene, const System& system)
    : colliders(int(scene.colliders.size())) {
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
  if (with_collider(key)) return {-1, body_of_point[std::size_t(key.a)]};
  const bool pricking = pricking_collider(key) >= 0;
  const auto of_edge = [this](int edge) { return body[std::size_t(skin_of_edge(edge))]; };
  if (of_edges(key)) return {pricking ? -1 : of_edge(key.a), of_edge(key.b)};
  return {pricking ? -1 : body_of_point[std::size_t(key.a)],
          body[std::size_t((key.kind - colliders) % skins())]};
}

ContactKey renumbered(ContactKey key, const ContactNumbers& from, const ContactNumbers& to,
                      const std::function<int(int)>& point, const std::function<int(int)>& skin) {
  if (from.with_collider(key)) {
    key.a = point(key.a);
    return key;
  }
  const int collider = from.pricking_collider(key);
  const auto edge = [&](int number) {
    const int s = from.skin_of_edge(number);
    return to.first_edge[std::size_t(skin(s))] + number - from.first_edge[std::size_t(s)];
  };
  if (from.of_edges(key)) {
    key.kind = to.edge_kind() + 1 + collider;
    if (collider < 0) key.a = edge(key.a);
    key.b = edge(key.b);
    return key;
  }
  key.kind = to.colliders + (collider + 1) * to.skins() + skin((key.kind - from.colliders) % from.skins());
  if (collider < 0) key.a = point(key.a);
  return key;
}

}  // namespace verve
