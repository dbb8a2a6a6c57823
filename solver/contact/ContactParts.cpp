#include "contact/ContactParts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/Error.h"
#include "contact/PairWalls.h"

namespace verve {

ContactParts::ContactParts(ContactInput given, const Vector& masses, const Vec3& acceleration,
                           std::vector<std::string>& warnings)
    : input(std::move(given)), mass(masses), gravity(acceleration.norm()), total_mass(masses.sum() / 3.0) {
  const std::size_t points = mass.size() / 3;
  const auto fits = [&](std::size_t size, const char* what) {
    if (size != 0 && size != points)
      throw Error("contact: " + std::string(what) + " has " + std::to_string(size) + " values for " +
                  std::to_string(points) + " points; give one for each");
  };
  fits(input.stiffness.size(), "the stiffness by point");
  fits(input.friction.size(), "the friction by point");
  fits(input.radius.size(), "the radius by point");
  fits(input.half_thickness.size(), "the thickness by point");
  fits(input.collision_matrix.kind.size(), "the kind by point");
  if (input.settings.static_friction < input.settings.dynamic_friction)
    throw Error("contact: the bodies' static friction is less than their dynamic friction; raise the first");
  if ((input.settings.between || input.settings.self) && !(input.settings.stiffness > 0.0))
    throw Error("contact: the bodies' stiffness must be greater than zero for them to meet");

  for (const ColliderSpec& spec : input.colliders) {
    colliders.emplace_back(spec);
    const auto& found = colliders.back().warnings();
    warnings.insert(warnings.end(), found.begin(), found.end());
  }
  skin_of_point_.assign(points, -1);
  for (const ContactBody& body : input.bodies) {
    if (std::size_t(input.rest.size()) != 3 * points)
      throw Error("contact: body '" + body.name + "' has no rest shape to tell its neighbours by");
    // A line of a rope is a triangle without any area: it repels by its edge, which is a rim all round.
    std::vector<std::array<int, 3>> triangles = body.triangles;
    for (const std::array<int, 2>& line : body.lines) triangles.push_back({line[0], line[1], line[1]});
    skins.emplace_back(triangles, input.rest, body.name);
    skin_radius_.push_back(0.0);
    skin_half_thickness_.push_back(0.5 * input.settings.thickness);
    if (!input.half_thickness.empty()) skin_half_thickness_.back() = 0.0;
    for (int p : skins.back().points()) {
      skin_of_point_[p] = int(skins.size()) - 1;
      skin_radius_.back() = std::max(skin_radius_.back(), radius_of(p));
      if (!input.half_thickness.empty())
        skin_half_thickness_.back() = std::max(skin_half_thickness_.back(), input.half_thickness[p]);
    }
    met_.push_back(met_triangles(skins.back()));
    first_edge_.push_back(first_edge_.back() + int(skins.back().surface().edges.size()));
  }
  skin_reach_.resize(skins.size());
  if (input.points.empty()) {
    input.points.resize(points);
    std::iota(input.points.begin(), input.points.end(), 0);
  }
}

void ContactParts::begin_step(const Vector& x, const Vector& v, double from, double seconds) {
  time = from;
  h = seconds;
  x0 = x;
  for (Collider& c : colliders) c.begin_step(time, still ? time : time + h);
  for (Skin& s : skins) s.begin_step(x);
  for (std::size_t s = 0; s < skins.size(); ++s) {
    double fastest = 0.0;
    for (int i : skins[s].points()) fastest = std::max(fastest, point(v, i).norm());
    skin_reach_[s] = reach(fastest);
  }
}

Eigen::AlignedBox3d ContactParts::reached(int skin, double thickness) const {
  const Eigen::AlignedBox3d box = skins[std::size_t(skin)].start_bounds();
  const Vec3 margin = Vec3::Constant(skin_reach(skin) + thickness);
  return {Vec3(box.min() - margin), Vec3(box.max() + margin)};
}

double ContactParts::eased(const Contact& contact, double at_time) const {
  if (still) return 0.0;
  return contact.overlap * std::max(0.0, 1.0 - std::max(0.0, at_time - begun) / input.settings.ease);
}

ContactParts::BodyEdge ContactParts::body_edge(int number) const {
  const auto after = std::upper_bound(first_edge_.begin(), first_edge_.end(), number);
  const int skin = int(after - first_edge_.begin()) - 1;
  return {skin, number - first_edge_[std::size_t(skin)]};
}

std::array<int, 2> ContactParts::edge_points(int number) const {
  const BodyEdge e = body_edge(number);
  return skins[std::size_t(e.skin)].edge_points(e.edge);
}

Vec3 ContactParts::place_of(int i, const Vector& x) const {
  const CarriedPoint* c = carried(i);
  if (!c) return point(x, i);
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 4; ++k) sum += c->weights[k] * point(x, c->corners[k]);
  return sum;
}

double ContactParts::multiplier(const std::vector<double>& by_point, int i) const {
  if (by_point.empty()) return 1.0;
  const CarriedPoint* c = carried(i);
  if (!c) return by_point[i];
  // A point outside of its tet has weights below zero: what it takes on stays between its corners' values.
  double sum = 0.0, total = 0.0;
  for (int k = 0; k < 4; ++k) {
    const double w = std::max(0.0, c->weights[k]);
    sum += w * by_point[c->corners[k]];
    total += w;
  }
  return sum / total;
}

double ContactParts::edge_radius(const std::array<int, 2>& ends, bool at_collider) const {
  const std::vector<double>& by_point = at_collider ? input.radius : input.half_thickness;
  if (by_point.empty()) return at_collider ? 0.0 : 0.5 * input.settings.thickness;
  return std::max(by_point[ends[0]], by_point[ends[1]]);
}

double ContactParts::thickness_between(const Contact& c) const {
  if (input.half_thickness.empty()) return input.settings.thickness;
  double sum = 0.0;
  for (int k = 0; k < c.points; ++k) sum += std::abs(c.weight[k]) * input.half_thickness[c.point[k]];
  return sum;
}

double ContactParts::thickness_at_collider(const Contact& c) const {
  double sum = collider(c.key).spec().thickness;
  if (!input.radius.empty())
    for (int k = 0; k < c.points; ++k) sum += std::abs(c.weight[k]) * input.radius[c.point[k]];
  return sum;
}

bool ContactParts::by_springs(int owner, int other) const {
  return !walls || walls->tangled(owner, other);
}

bool ContactParts::meets_collider(int i, int collider) const {
  const CarriedPoint* c = carried(i);
  return c ? input.collision_matrix.all_meet_collider(c->corners, collider)
           : input.collision_matrix.meets_collider(i, collider);
}

const MetTriangles* ContactParts::met_by_point(int i, int skin) const {
  return met_[skin].empty() ? nullptr : &met_[skin][input.collision_matrix.kind[i]];
}

const MetTriangles* ContactParts::met_by_collider(int collider, int skin) const {
  return met_[skin].empty() ? nullptr : &met_[skin][input.collision_matrix.kinds.size() + collider];
}

std::vector<MetTriangles> ContactParts::met_triangles(const Skin& skin) const {
  const CollisionMatrix& matrix = input.collision_matrix;
  std::vector<MetTriangles> parts;
  if (matrix.all()) return parts;
  const int triangles = int(skin.surface().triangles.size());
  const auto add = [&](const auto& meets) {
    MetTriangles met;
    for (int t = 0; t < triangles; ++t) {
      const std::array<int, 3> corners = skin.corners(t);
      met.triangle.push_back(
          std::all_of(corners.begin(), corners.end(), [&](int p) { return meets(matrix.kind[p]); }));
    }
    const auto count = std::count(met.triangle.begin(), met.triangle.end(), char(1));
    met.any = count > 0;
    if (count == 0 || count == triangles) met.triangle.clear();
    parts.push_back(std::move(met));
  };
  for (const auto& row : matrix.kinds) add([&](int kind) { return row[kind] != 0; });
  for (int c = 0; c < collider_count(); ++c)
    add([&](int kind) { return matrix.with_collider[kind][c] != 0; });
  return parts;
}

}  // namespace verve
