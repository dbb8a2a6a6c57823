// What a pair of parts that meet is, and what it is called.
#pragma once

#include <tuple>

namespace verve {

/// Which parts of surfaces meet. Springs, walls between bodies and penalty layers all speak of these; for the
/// latter two the corners and edges of colliders count among those of bodies.
enum class PairKind : int {
  point_collider,           ///< a point of a body, and a collider as a whole
  point_triangle,           ///< a point of a body, and the skin of a body
  collider_point_triangle,  ///< a point of a collider, and the skin of a body
  edge_edge,                ///< edges of bodies
  collider_edge_edge,       ///< an edge of a collider, and one of a body
};

/// Names a contact, and orders contacts: sums over them have the same order in every run.
struct ContactKey {
  PairKind kind = PairKind::point_collider;
  int collider = -1;  ///< whose surface, point or edge it is
  int skin = -1;      ///< whose triangles a point meets
  int a = -1;         ///< point or edge; a first edge of bodies is numbered over all skins
  int b = -1;         ///< second edge, numbered over all skins
  int layer = 0;      ///< of those of a pair

  bool operator<(const ContactKey& o) const { return fields() < o.fields(); }
  bool operator==(const ContactKey& o) const { return fields() == o.fields(); }

 private:
  std::tuple<PairKind, int, int, int, int, int> fields() const { return {kind, collider, skin, a, b, layer}; }
};

}  // namespace verve
