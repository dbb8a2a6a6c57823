// The part of Contacts that finds what may touch, once at the start of each step.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/Error.h"
#include "base/Parallel.h"
#include "contact/Contacts.h"
#include "contact/PairWalls.h"

namespace verve {
namespace {

/// Whether the contact was pressed into a sheet when the last step ended.
bool was_pressed(const std::vector<ContactMemory>& memories, const ContactKey& key) {
  const auto place = std::lower_bound(memories.begin(), memories.end(), key,
                                      [](const ContactMemory& m, const ContactKey& k) { return m.key < k; });
  return place != memories.end() && place->key == key && place->pressed;
}

constexpr double anywhere = std::numeric_limits<double>::infinity();

}  // namespace

Contacts::Contacts(ContactInput input, const Vector& mass, const Vec3& gravity)
    : input_(std::move(input)), mass_(mass), gravity_(gravity.norm()), total_mass_(mass.sum() / 3.0) {
  const std::size_t points = mass.size() / 3;
  const auto fits = [&](std::size_t size, const char* what) {
    if (size != 0 && size != points)
      throw Error("contact: " + std::string(what) + " has " + std::to_string(size) + " values for " +
                  std::to_string(points) + " points; give one for each");
  };
  fits(input_.stiffness.size(), "the stiffness by point");
  fits(input_.friction.size(), "the friction by point");
  fits(input_.radius.size(), "the radius by point");
  fits(input_.half_thickness.size(), "the thickness by point");
  fits(input_.meetings.kind.size(), "the kind by point");
  if (input_.settings.static_friction < input_.settings.dynamic_friction)
    throw Error("contact: the bodies' static friction is less than their dynamic friction; raise the first");
  if ((input_.settings.between || input_.settings.self) && !(input_.settings.stiffness > 0.0))
    throw Error("contact: the bodies' stiffness must be greater than zero for them to meet");

  for (const ColliderSpec& spec : input_.colliders) {
    colliders_.emplace_back(spec);
    const auto& found = colliders_.back().warnings();
    warnings_.insert(warnings_.end(), found.begin(), found.end());
  }
  skin_of_point_.assign(points, -1);
  for (const ContactBody& body : input_.bodies) {
    if (std::size_t(input_.rest.size()) != 3 * points)
      throw Error("contact: body '" + body.name + "' has no rest shape to tell its neighbours by");
    // A line of a rope is a triangle without any area: it repels by its edge, which is a rim all round.
    std::vector<std::array<int, 3>> triangles = body.triangles;
    for (const std::array<int, 2>& line : body.lines) triangles.push_back({line[0], line[1], line[1]});
    skins_.emplace_back(triangles, input_.rest, body.name);
    skin_radius_.push_back(0.0);
    skin_half_thickness_.push_back(0.5 * input_.settings.thickness);
    if (!input_.half_thickness.empty()) skin_half_thickness_.back() = 0.0;
    for (int p : skins_.back().points()) {
      skin_of_point_[p] = int(skins_.size()) - 1;
      skin_radius_.back() = std::max(skin_radius_.back(), radius_of(p));
      if (!input_.half_thickness.empty())
        skin_half_thickness_.back() = std::max(skin_half_thickness_.back(), input_.half_thickness[p]);
    }
    met_.push_back(met_triangles(skins_.back()));
  }
  skin_reach_.resize(skins_.size());
  first_edge_ = {0};
  for (const Skin& skin : skins_)
    first_edge_.push_back(first_edge_.back() + int(skin.surface().edges.size()));
  if (input_.points.empty()) {
    input_.points.resize(points);
    std::iota(input_.points.begin(), input_.points.end(), 0);
  }
  const ContactSettings& settings = input_.settings;
  if (settings.wall && settings.rule == ContactRule::exact && !skins_.empty())
    pairs_ = std::make_unique<PairWalls>(input_, skins_, colliders_, mass_, gravity_);
  clear_impulse();
  clearance_.resize(input_.points.size());
  found_.resize(input_.points.size());
}

Contacts::~Contacts() = default;

Vec3 Contacts::place_of(int i, const Vector& x) const {
  const CarriedPoint* c = carried(i);
  if (!c) return point(x, i);
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 4; ++k) sum += c->weights[k] * point(x, c->corners[k]);
  return sum;
}

double Contacts::multiplier(const std::vector<double>& by_point, int i) const {
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

int Contacts::own_point(const ContactKey& key) const {
  if (of_edges(key)) return -1;
  const int skin = (key.kind - collider_count()) % skin_count();
  return pricking_collider(key) < 0 && skin_of_point_[key.a] == skin ? key.a : -1;
}

Contact Contacts::make_contact(const ContactKey& key) const {
  const ContactSettings& s = input_.settings;
  const int collider = with_collider(key) ? key.kind : pricking_collider(key);
  Contact c;
  c.key = key;
  c.stiffness = s.stiffness;
  c.static_friction = s.static_friction;
  c.dynamic_friction = s.dynamic_friction;
  if (collider >= 0) {
    const ColliderSpec& spec = colliders_[collider].spec();
    c.stiffness = spec.stiffness;
    c.static_friction = spec.static_friction;
    c.dynamic_friction = spec.dynamic_friction;
    // The multipliers where an edge is touched are taken from its middle, so that they do not change.
    std::vector<int> own;
    if (of_edges(key))
      own = {colliders_[collider].corners().edges[key.a].point[0],
             colliders_[collider].corners().edges[key.a].point[1]};
    else if (!with_collider(key))
      own = {key.a};
    double stiffness = 0.0, friction = 0.0;
    for (int i : own) {
      stiffness += colliders_[collider].stiffness_at_vertex(i) / double(own.size());
      friction += colliders_[collider].friction_at_vertex(i) / double(own.size());
    }
    if (!own.empty()) c.stiffness *= stiffness, c.grip = friction;
  }
  if (with_collider(key)) c.radius = radius_of(key.a);
  if (of_edges(key)) {
    std::vector<int> points;
    for (int number : {key.a, key.b})
      if (number == key.b || collider < 0)
        for (int p : edge_points(number)) points.push_back(p);
    const auto mean = [&](const std::vector<double>& by_point) {
      double sum = 0.0;
      for (int p : points) sum += multiplier(by_point, p) / double(points.size());
      return sum;
    };
    c.stiffness *= mean(input_.stiffness);
    c.static_friction *= mean(input_.friction);
    c.dynamic_friction *= mean(input_.friction);
  } else if (with_collider(key) || collider < 0) {
    if (const CarriedPoint* skin = carried(key.a)) {
      c.points = 4;
      c.point = skin->corners;
      c.weight = skin->weights;
    } else {
      c.point[0] = key.a;
    }
    c.stiffness *= multiplier(input_.stiffness, key.a);
    c.static_friction *= multiplier(input_.friction, key.a);
    c.dynamic_friction *= multiplier(input_.friction, key.a);
  }
  return c;
}

// A contact may be within reach of the velocity and of what gravity adds; should a point go farther, it is
// looked at again when the step has been solved.
void Contacts::find_at_colliders(const Vector& x, const Vector& v, const Memories& memories) {
  parallel_pieces(int(input_.points.size()), 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const int i = input_.points[n];
      const Vec3 p = place_of(i, x);
      const double reach = 1.5 * std::abs(h_) * (place_of(i, v).norm() + std::abs(h_) * gravity_);
      clearance_[n] = reach;
      found_[n].clear();
      for (int c = 0; c < collider_count(); ++c) {
        const Collider& collider = colliders_[c];
        if (!meets_collider(i, c)) continue;
        const double radius = radius_of(i);
        double limit = reach + collider.motion(p, reach + radius + collider.spec().thickness);
        if (input_.settings.wall) limit += input_.settings.wall_reach;
        if (collider.is_sheet() && was_pressed(memories, {c, i, -1})) limit = anywhere;
        const Distance d = collider.start_distance(p, limit + radius);
        if (collider.is_mesh() && d.triangle < 0) continue;  // nothing within the limit
        if (collider.gap_of(d, 0).value - radius <= limit) found_[n].push_back({{c, i, -1}, d});
      }
    }
  });
}

void Contacts::find_near_skin(int skin, const ContactKey& key, const Vec3& p, double reach,
                              const Memories& memories, std::vector<Found>& out) const {
  const Seeker who = seeker(key, p);
  if (who.met && !who.met->any) return;
  const Eigen::AlignedBox3d box = skins_[skin].start_bounds();
  const bool pressed = skins_[skin].is_sheet() && was_pressed(memories, key);
  const double far = pressed ? anywhere : reach + skin_reach_[skin] + who.thickness;
  if (box.squaredExteriorDistance(p) > far * far) return;
  const Distance d = skins_[skin].start_distance(p, far, who);
  const double value = skins_[skin].is_sheet() ? std::abs(d.value) : d.value;
  if (d.triangle >= 0 && value <= far) out.push_back({key, d});
}

void Contacts::find_at_skins(const Vector& x, const Vector& v, const Memories& memories) {
  found_at_skins_.clear();
  if (skins_.empty()) return;
  for (int s = 0; s < skin_count(); ++s) {
    double fastest = 0.0;
    for (int i : skins_[s].points()) fastest = std::max(fastest, point(v, i).norm());
    skin_reach_[s] = 1.5 * std::abs(h_) * (fastest + std::abs(h_) * gravity_);
  }
  const ContactSettings& settings = input_.settings;
  if (settings.between || settings.self)
    for (int from = 0; from < skin_count(); ++from) {
      const std::vector<int>& points = skins_[from].points();
      const std::size_t first = found_at_skins_.size();
      found_at_skins_.resize(first + points.size());
      parallel_pieces(int(points.size()), 64, [&](int begin, int end) {
        for (int n = begin; n < end; ++n) {
          const int i = points[n];
          const double reach = 1.5 * std::abs(h_) * (point(v, i).norm() + std::abs(h_) * gravity_);
          for (int s = 0; s < skin_count(); ++s) {
            if ((s == from ? !settings.self : !settings.between) || !by_springs(from, s)) continue;
            find_near_skin(s, {collider_count() + s, i, -1}, point(x, i), reach, memories,
                           found_at_skins_[first + n]);
          }
        }
      });
    }
  for (int c = 0; c < collider_count(); ++c) {
    const Collider& collider = colliders_[c];
    for (int s = 0; s < skin_count() && collider.has_corners(); ++s) {
      if (!by_springs(skin_count() + c, s)) continue;
      if (const MetTriangles* met = met_by_collider(c, s); met && !met->any) continue;
      const MeshSurface& mesh = collider.corners();
      std::vector<int> near;
      collider.for_each_near(reached(s, collider.spec().thickness + skin_radius_[s]), [&](int triangle) {
        // Once only, from one of the triangles at it.
        for (int p : mesh.triangles[triangle])
          if (mesh.joined[p] == p && mesh.incident[mesh.incident_start[p]] == triangle) near.push_back(p);
      });
      const double size = skins_[s].mean_edge(),
                   depth = std::max(0.1 * collider.spec().thickness, 1e-3 * size);
      const std::size_t first = found_at_skins_.size();
      found_at_skins_.resize(first + near.size());
      parallel_pieces(int(near.size()), 64, [&](int begin, int end) {
        for (int n = begin; n < end; ++n) {
          if (!collider.stands_out(near[n], size, depth)) continue;
          const Vec3 p = collider.start_vertex(near[n]);
          const double reach = (collider.end_vertex(near[n]) - p).norm();
          find_near_skin(s, {collider_count() + (c + 1) * skin_count() + s, near[n], -1}, p, reach, memories,
                         found_at_skins_[first + n]);
        }
      });
    }
  }
}

Eigen::AlignedBox3d Contacts::reached(int skin, double thickness) const {
  const Eigen::AlignedBox3d box = skins_[skin].start_bounds();
  const Vec3 margin = Vec3::Constant(skin_reach_[skin] + thickness);
  return {Vec3(box.min() - margin), Vec3(box.max() + margin)};
}

double Contacts::gap_of(const Found& f, Contact c) const {
  if (of_edges(f.key)) return 0.0;
  if (with_collider(f.key)) return colliders_[f.key.kind].gap_of(f.distance, 0).value - c.radius;
  c.set_triangle(skin_of(f.key).corners(f.distance.triangle), f.distance.weights,
                 pricking_collider(f.key) >= 0);
  const double value = f.distance.value;
  return (skin_of(f.key).is_sheet() ? std::abs(value) : value) - thickness(c);
}

void Contacts::list_found(bool first) {
  listed_.clear();
  for (const auto* found : {&found_, &found_at_skins_, &found_edges_})
    for (const auto& some : *found) listed_.insert(listed_.end(), some.begin(), some.end());
  std::sort(listed_.begin(), listed_.end(), [](const Found& a, const Found& b) { return a.key < b.key; });
  listed_.erase(std::unique(listed_.begin(), listed_.end(),
                            [](const Found& a, const Found& b) { return a.key == b.key; }),
                listed_.end());
  contacts_.clear();
  int overlapping = 0;
  double deepest_gap = 0.0;
  ContactKey deepest;
  std::size_t kept = 0;
  for (const Found& f : listed_) {
    Contact c = make_contact(f.key);
    if (c.stiffness == 0.0) continue;
    // Deeper than a small pile of such points would press it: it did not get there by itself.
    const bool of_point = with_collider(f.key) || (!of_edges(f.key) && pricking_collider(f.key) < 0);
    const int any = of_point ? anchor(f.key.a) : 0;
    const double gap = gap_of(f, c);
    const double rest = 10.0 * gravity_ * mass_[3 * Eigen::Index(any)] / (2.0 * c.stiffness);
    if (first && !still_ && -gap > rest && !of_edges(f.key)) {
      c.overlap = -gap;
      ++overlapping;
      if (gap < deepest_gap) deepest = f.key, deepest_gap = gap;
    }
    contacts_.push_back(c);
    listed_[kept++] = f;
  }
  listed_.resize(kept);
  if (overlapping > 0) {
    const bool outside = with_collider(deepest);
    const int kind = outside ? deepest.kind : (deepest.kind - collider_count()) % skin_count();
    warnings_.push_back(std::to_string(overlapping) +
                        " points start in contact too deep to rest there; the deepest is " +
                        (outside || pricking_collider(deepest) < 0 ? "point " : "collider point ") +
                        std::to_string(deepest.a) + ", " + std::to_string(-deepest_gap) + " m inside '" +
                        (outside ? colliders_[kind].spec().name : input_.bodies[kind].name) +
                        "'; they are eased out over " + std::to_string(input_.settings.ease) + " s");
  }
}

void Contacts::set_start(Contact& c, const Vector& x, const Distance* known) const {
  if (of_edges(c.key)) return set_edge_start(c, x);
  Distance d;
  if (with_collider(c.key)) {
    const Collider& collider = colliders_[c.key.kind];
    const Vec3 p = c.gather(x);
    d = known ? *known : collider.start_distance(p, std::numeric_limits<double>::infinity());
    if (c.side == 0) c.side = collider.is_sheet() && d.value < 0.0 ? -1 : 1;
    d = collider.gap_of(d, c.side);
    c.share = c.end_share = collider.stiffness_at(d);
    c.before = c.place = p;
  } else {
    const int pricking = pricking_collider(c.key);
    const Vec3 p = pricking < 0 ? Vec3(point(x, c.key.a)) : colliders_[pricking].start_vertex(c.key.a);
    d = known ? *known
              : skin_of(c.key).start_distance(p, std::numeric_limits<double>::infinity(), seeker(c.key, p));
    if (c.side == 0) c.side = skin_of(c.key).is_sheet() && d.value < 0.0 ? -1 : 1;
    if (c.side < 0 && !d.rim) d.value = -d.value, d.normal = -d.normal;
    if (d.triangle >= 0) c.set_triangle(skin_of(c.key).corners(d.triangle), d.weights, pricking >= 0);
    d.value -= thickness(c);
    c.before = c.place = c.gather(x);
  }
  c.start = c.end = d.value + shift(c, time_);
  c.normal = c.start_normal = d.normal;
}

/// Whether what seems to touch is only behind: a body's own far side is behind each of its points, the far
/// side of a solid collider behind its points and edges, and the rest of a body behind what came in by a part
/// of it that it passes through. A contact can only begin from the front.
bool Contacts::is_inside(const Contact& c) const {
  if (with_collider(c.key)) return false;
  const double gap = c.start + thickness(c);
  if (of_edges(c.key)) {
    const BodyEdge b = body_edge(c.key.b);
    const bool own = pricking_collider(c.key) < 0 && body_edge(c.key.a).skin == b.skin;
    return gap < -(own ? 0.0 : 0.25 * skins_[b.skin].mean_edge());
  }
  const MetTriangles* met = seeker(c.key, Vec3::Zero()).met;
  if (own_point(c.key) >= 0 || (met && !met->triangle.empty())) return gap < 0.0;
  const int pricking = pricking_collider(c.key);
  if (pricking < 0 || !skin_of(c.key).is_sheet() || colliders_[pricking].is_sheet()) return false;
  const Vec3 to_sheet = -c.before - colliders_[pricking].start_vertex(c.key.a);
  const Vec3 out = colliders_[pricking].start_vertex_normal(c.key.a).stableNormalized();
  return out.dot(to_sheet) < -0.2 * to_sheet.norm();
}

}  // namespace verve
