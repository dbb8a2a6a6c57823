// The surfaces that bodies bring to contact, and what a contact is called where only some of the bodies are.
#pragma once

#include "simulation/Scene.h"

namespace verve {

/// The triangles of a body's surface, numbered over all points.
std::vector<std::array<int, 3>> surface_of(const Body& body, int first);

/// What others meet of the bodies, in their order. The parts of a body meet each other as bodies do, unless
/// bodies meet themselves anyway.
std::vector<ContactBody> contact_bodies(const Scene& scene, const System& system);

/// How contacts of a scene are numbered: see ContactKey and Contacts.
struct ContactNumbers {
  int colliders = 0;
  std::vector<int> body;           ///< of each skin
  std::vector<int> first_edge{0};  ///< of each skin, and the number of all

  ContactNumbers(const Scene& scene, const System& system);

  int skins() const { return int(body.size()); }
  int edge_kind() const { return colliders + skins() * (colliders + 1); }
  bool with_collider(const ContactKey& key) const { return key.kind < colliders; }
  bool of_edges(const ContactKey& key) const { return key.kind >= edge_kind(); }
  /// The collider whose point or edge it is that meets a body, or -1.
  int pricking_collider(const ContactKey& key) const {
    return of_edges(key) ? key.kind - edge_kind() - 1 : (key.kind - colliders) / skins() - 1;
  }
  int skin_of_edge(int edge) const;
  /// The bodies of both sides of a contact, by the body of each point; the first is -1 for a collider.
  std::array<int, 2> bodies_of(const ContactKey& key, const std::vector<int>& body_of_point) const;
};

/// The name that a contact has by other numbers of points and skins; those that the others lack do not occur
/// in it.
ContactKey renumbered(ContactKey key, const ContactNumbers& from, const ContactNumbers& to,
                      const std::function<int(int)>& point, const std::function<int(int)>& skin);

}  // namespace verve
