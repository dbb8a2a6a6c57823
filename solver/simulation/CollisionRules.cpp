#include "simulation/CollisionRules.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "base/Error.h"
#include "base/Text.h"
#include "simulation/PointAttributes.h"

namespace verve {
namespace {

/// Whether a name fits a pattern with * and ?.
bool fits(const char* pattern, const char* name) {
  if (*pattern == '*') return fits(pattern + 1, name) || (*name && fits(pattern, name + 1));
  if (!*pattern || !*name) return !*pattern && !*name;
  return (*pattern == '?' || *pattern == *name) && fits(pattern + 1, name + 1);
}

const std::string external = "external/";

/// Whether a kind passes through the group of that name; of a collider, by words with "external/" in front.
bool ignores(const CollisionKind& kind, const std::string& group, bool collider = false) {
  if (!collider && group.empty()) return false;
  std::istringstream words(kind.ignore);
  for (std::string word; words >> word;) {
    const bool for_colliders = word.compare(0, external.size(), external) == 0;
    if (for_colliders != collider) continue;
    if (fits(word.c_str() + (collider ? external.size() : 0), group.c_str())) return true;
  }
  return false;
}

bool meet(const CollisionKind& a, const CollisionKind& b) {
  return !a.loner && !b.loner && !ignores(a, b.group) && !ignores(b, a.group);
}
bool meets_collider(const CollisionKind& point, const CollisionKind& collider) {
  return !point.ghost && !ignores(point, collider.group, true) && !ignores(collider, point.group);
}

/// The attribute as text by point; empty when there is none.
std::vector<std::string> texts(const Geometry& geometry, const char* name) {
  for (const Owner owner : {Owner::Point, Owner::Detail}) {
    const Attribute* a = geometry.find(owner, name);
    if (!a) continue;
    if (a->is_array() || a->tuple_size != 1)
      throw Error("the " + std::string(name_of(owner)) + " attribute '" + name +
                  "' must be one text or number; rename it if it means something else");
    std::vector<std::string> result;
    for (std::size_t i = 0; i < std::size_t(geometry.point_count); ++i) {
      const std::size_t at = owner == Owner::Detail ? 0 : i;
      result.push_back(a->is_text() ? a->text(at) : shortest(a->number(at)));
    }
    return result;
  }
  return {};
}

}  // namespace

bool operator==(const CollisionKind& a, const CollisionKind& b) {
  return a.group == b.group && a.ignore == b.ignore && a.loner == b.loner && a.ghost == b.ghost;
}

void CollisionRules::add_to(Fingerprint& sum) const {
  for (const CollisionKind& kind : kinds) {
    sum.add(kind.group), sum.add(kind.ignore);
    sum.add(&kind.loner, sizeof kind.loner);
    sum.add(&kind.ghost, sizeof kind.ghost);
  }
  if (!of_point.empty()) sum.add(of_point.data(), of_point.size() * sizeof(int));
}

CollisionRules collision_rules(const Geometry& geometry) {
  const std::vector<std::string> groups = texts(geometry, "collisiongroup"),
                                 ignored = texts(geometry, "collisionignore");
  const std::vector<double> loners = point_numbers(geometry, "disableself", 1),
                            ghosts = point_numbers(geometry, "disableexternal", 1);
  CollisionRules rules;
  if (groups.empty() && ignored.empty() && loners.empty() && ghosts.empty()) return rules;
  for (std::size_t i = 0; i < std::size_t(geometry.point_count); ++i) {
    CollisionKind kind;
    if (!groups.empty()) kind.group = groups[i];
    if (!ignored.empty()) kind.ignore = ignored[i];
    if (!loners.empty()) kind.loner = loners[i] != 0.0;
    if (!ghosts.empty()) kind.ghost = ghosts[i] != 0.0;
    auto known = std::find(rules.kinds.begin(), rules.kinds.end(), kind);
    if (known == rules.kinds.end()) known = rules.kinds.insert(known, kind);
    rules.of_point.push_back(int(known - rules.kinds.begin()));
  }
  return rules;
}

CollisionRules chosen(const CollisionRules& rules, const std::vector<int>& points) {
  CollisionRules result;
  if (rules.of_point.empty()) return result;
  result.kinds = rules.kinds;
  for (int i : points) result.of_point.push_back(rules.of_point[std::size_t(i)]);
  return result;
}

CollisionMatrix collision_matrix(const CollisionRules& rules, const std::vector<CollisionKind>& colliders) {
  const std::vector<CollisionKind>& kinds = rules.kinds;
  // A row says whom a kind meets: the other kinds, then the colliders.
  std::vector<std::vector<char>> rows(kinds.size());
  bool all = true;
  for (std::size_t a = 0; a < kinds.size(); ++a) {
    for (const CollisionKind& other : kinds) rows[a].push_back(meet(kinds[a], other));
    for (const CollisionKind& collider : colliders) rows[a].push_back(meets_collider(kinds[a], collider));
    all = all && std::count(rows[a].begin(), rows[a].end(), char(0)) == 0;
  }
  CollisionMatrix table;
  if (all) return table;
  // Kinds that meet the same ones are one kind.
  std::map<std::vector<char>, int> number_of;
  std::vector<std::size_t> kept;
  std::vector<int> merged;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    const auto [place, is_new] = number_of.emplace(rows[a], int(kept.size()));
    if (is_new) kept.push_back(a);
    merged.push_back(place->second);
  }
  for (std::size_t a : kept) {
    table.kinds.emplace_back();
    for (std::size_t b : kept) table.kinds.back().push_back(rows[a][b]);
    table.with_collider.emplace_back(rows[a].begin() + std::ptrdiff_t(kinds.size()), rows[a].end());
  }
  for (int kind : rules.of_point) table.kind.push_back(merged[std::size_t(kind)]);
  return table;
}

}  // namespace verve
