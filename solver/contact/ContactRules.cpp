// The part of Contacts that knows who meets whom, and how near.
#include <algorithm>
#include <cmath>

#include "contact/Contacts.h"

namespace verve {

std::vector<MetTriangles> Contacts::met_triangles(const Skin& skin) const {
  const Meetings& meetings = input_.meetings;
  std::vector<MetTriangles> parts;
  if (meetings.all()) return parts;
  const int triangles = int(skin.surface().triangles.size());
  const auto add = [&](const auto& meets) {
    MetTriangles met;
    for (int t = 0; t < triangles; ++t) {
      const std::array<int, 3> corners = skin.corners(t);
      met.triangle.push_back(
          std::all_of(corners.begin(), corners.end(), [&](int p) { return meets(meetings.kind[p]); }));
    }
    const auto count = std::count(met.triangle.begin(), met.triangle.end(), char(1));
    met.any = count > 0;
    if (count == 0 || count == triangles) met.triangle.clear();
    parts.push_back(std::move(met));
  };
  for (const auto& row : meetings.kinds) add([&](int kind) { return row[kind] != 0; });
  for (int c = 0; c < collider_count(); ++c)
    add([&](int kind) { return meetings.with_collider[kind][c] != 0; });
  return parts;
}

double Contacts::edge_radius(const std::array<int, 2>& ends, bool at_collider) const {
  const std::vector<double>& by_point = at_collider ? input_.radius : input_.half_thickness;
  if (by_point.empty()) return at_collider ? 0.0 : 0.5 * input_.settings.thickness;
  return std::max(by_point[ends[0]], by_point[ends[1]]);
}

double Contacts::widest(const ContactKey& key) const {
  const int collider = pricking_collider(key);
  if (of_edges(key)) {
    const double second = edge_radius(edge_points(key.b), collider >= 0);
    return second +
           (collider >= 0 ? colliders_[collider].spec().thickness : edge_radius(edge_points(key.a), false));
  }
  const int skin = (key.kind - collider_count()) % skin_count();
  if (collider >= 0) return colliders_[collider].spec().thickness + skin_radius_[skin];
  return input_.half_thickness.empty() ? input_.settings.thickness
                                       : input_.half_thickness[key.a] + skin_half_thickness_[skin];
}

double Contacts::thickness(const Contact& c) const {
  const int collider = pricking_collider(c.key);
  const std::vector<double>& by_point = collider >= 0 ? input_.radius : input_.half_thickness;
  double sum = 0.0;
  if (collider >= 0)
    sum = colliders_[collider].spec().thickness;
  else if (by_point.empty())
    sum = input_.settings.thickness;
  if (!by_point.empty())
    for (int k = 0; k < c.points; ++k) sum += std::abs(c.weight[k]) * by_point[c.point[k]];
  return sum;
}

bool Contacts::meets_collider(int i, int collider) const {
  const CarriedPoint* c = carried(i);
  return c ? input_.meetings.all_meet_collider(c->corners, collider)
           : input_.meetings.meets_collider(i, collider);
}

const MetTriangles* Contacts::met_by_point(int i, int skin) const {
  return met_[skin].empty() ? nullptr : &met_[skin][input_.meetings.kind[i]];
}

const MetTriangles* Contacts::met_by_collider(int collider, int skin) const {
  return met_[skin].empty() ? nullptr : &met_[skin][input_.meetings.kinds.size() + collider];
}

Seeker Contacts::seeker(const ContactKey& key, const Vec3& start) const {
  const int collider = pricking_collider(key), skin = (key.kind - collider_count()) % skin_count();
  return {own_point(key), start, widest(key),
          collider < 0 ? met_by_point(key.a, skin) : met_by_collider(collider, skin)};
}

}  // namespace verve
