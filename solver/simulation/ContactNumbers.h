// The surfaces that bodies bring to contact, and what a contact is called where only some of the bodies are.
#pragma once

#include "simulation/Scene.h"

namespace verve {

/// The triangles of a body's surface, numbered over all points.
std::vector<std::array<int, 3>> surface_of(const Body& body, int first);

/// What others meet of the bodies, in their order. The parts of a body meet each other as bodies do, unless
/// bodies meet themselves anyway.
std::vector<ContactBody> contact_bodies(const Scene& scene, const System& system);

/// The skins and edges of a scene's bodies as contacts number them: see ContactKey.
struct ContactNumbers {
  std::vector<int> body;           ///< of each skin
  std::vector<int> first_edge{0};  ///< of each skin, and the number of all

  ContactNumbers(const Scene& scene, const System& system);

  int skins() const { return int(body.size()); }
  int skin_of_edge(int edge) const;
  /// The bodies of both sides of a contact, by the body of each point; the first is -1 for a collider.
  std::array<int, 2> bodies_of(const ContactKey& key, const std::vector<int>& body_of_point) const;
};

/// The name that a contact has by other numbers of points and skins; those that the others lack do not occur
/// in it.
ContactKey renumbered(ContactKey key, const ContactNumbers& from, const ContactNumbers& to,
                      const std::function<int(int)>& point, const std::function<int(int)>& skin);

}  // namespace verve
