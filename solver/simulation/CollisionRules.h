// Who meets whom, in the words of artists: collisiongroup, collisionignore, disableself and disableexternal.
#pragma once

#include <string>
#include <vector>

#include "base/Fingerprint.h"
#include "contact/CollisionMatrix.h"
#include "geometry/Geometry.h"

namespace verve {

/// What points (or a collider) of one kind say.
struct CollisionKind {
  std::string group;  ///< collisiongroup: the name by which others may ignore it
  /// collisionignore: names with * and ?, of colliders with "external/" in front (with a star after it: all
  /// colliders, also those without a group).
  std::string ignore;
  bool loner = false;  ///< disableself: meets no body, not even its own
  bool ghost = false;  ///< disableexternal: meets no collider
};
bool operator==(const CollisionKind& a, const CollisionKind& b);

/// Two kinds meet unless one of them ignores the other; all of them when nobody says anything.
struct CollisionRules {
  std::vector<CollisionKind> kinds;
  std::vector<int> of_point;  ///< the kind of each point; empty: all are of a kind that says nothing

  CollisionKind at(int point) const {
    return of_point.empty() ? CollisionKind() : kinds[std::size_t(of_point[std::size_t(point)])];
  }
  void add_to(Fingerprint& sum) const;
};

/// Reads the attributes of a geometry's points (or its detail's, for all points). A collisiongroup may be a
/// number as well. Throws an Error that names an attribute of another type.
CollisionRules collision_rules(const Geometry& geometry);
/// Those of some points, in their order.
CollisionRules chosen(const CollisionRules& rules, const std::vector<int>& points);

/// The rules as a table; `colliders` has the kind of each. It is empty when everything meets everything.
CollisionMatrix collision_matrix(const CollisionRules& rules, const std::vector<CollisionKind>& colliders);

}  // namespace verve
