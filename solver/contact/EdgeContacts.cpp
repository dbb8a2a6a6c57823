// The part of Contacts that finds edges which may cross, and looks at them.
#include <algorithm>
#include <cmath>

#include "base/Parallel.h"
#include "contact/Contacts.h"
#include "contact/Nearness.h"

namespace verve {
namespace {

using Way = std::array<Vec3, 2>;  ///< how far the ends of an edge go during a step

/// Where an edge is on its way.
Eigen::AlignedBox3d box_around(const std::array<Vec3, 2>& end, const Way& way, double margin) {
  Eigen::AlignedBox3d box(end[0]);
  for (int k = 0; k < 2; ++k) box.extend(end[k]).extend(end[k] + way[k]);
  const Vec3 size = Vec3::Constant(margin);
  return {Vec3(box.min() - size), Vec3(box.max() + size)};
}

/// Whether the collider bends at an edge, or ends there.
bool is_sharp(const Collider& collider, int edge) {
  const MeshSurface& mesh = collider.corners();
  const auto& sides = mesh.edges[edge].triangle;
  if (sides[1] < 0) return true;
  Vec3 normal[2];
  for (int k = 0; k < 2; ++k) {
    const auto& t = mesh.triangles[sides[k]];
    const Vec3 a = collider.start_vertex(t[0]);
    normal[k] = (collider.start_vertex(t[1]) - a).cross(collider.start_vertex(t[2]) - a);
  }
  const double sizes = std::sqrt(normal[0].squaredNorm() * normal[1].squaredNorm());
  return !(normal[0].dot(normal[1]) > (1.0 - smooth_edge) * sizes);
}

/// Whether two edges can come within `thickness` during a step, if they stray from their ways by less than a
/// quarter of what they approach each other, and by `stray`.
bool may_meet(const EdgePlace& a, const Way& way_a, const EdgePlace& b, const Way& way_b, double thickness,
              double stray) {
  if (std::max(a.sharpness(), b.sharpness()) < 0.2 * smooth_edge) return false;
  double approach = 0.0;
  for (const Vec3& u : way_a)
    for (const Vec3& w : way_b) approach = std::max(approach, (u - w).norm());
  // Between the times that are looked at they come nearer by a quarter of it.
  const double near = thickness + stray + 0.5 * approach;
  for (double t : {0.0, 0.5, 1.0}) {
    const double distance = edge_to_edge({a.end[0] + t * way_a[0], a.end[1] + t * way_a[1],
                                          b.end[0] + t * way_b[0], b.end[1] + t * way_b[1]})
                                .distance;
    if (distance <= near) return true;
    if (distance > near + approach) return false;
  }
  return false;
}

}  // namespace

Contacts::BodyEdge Contacts::body_edge(int number) const {
  const auto after = std::upper_bound(first_edge_.begin(), first_edge_.end(), number);
  const int skin = int(after - first_edge_.begin()) - 1;
  return {skin, number - first_edge_[skin]};
}

std::array<int, 2> Contacts::edge_points(int number) const {
  const BodyEdge e = body_edge(number);
  return skins_[e.skin].edge_points(e.edge);
}

Contacts::EdgePair Contacts::edge_pair(const ContactKey& key, bool end) const {
  const auto of_body = [&](int number) {
    const BodyEdge e = body_edge(number);
    return end ? skins_[e.skin].end_edge(e.edge) : skins_[e.skin].start_edge(e.edge);
  };
  const int collider = pricking_collider(key);
  if (collider < 0) return {of_body(key.a), of_body(key.b)};
  return {end ? colliders_[collider].end_edge(key.a) : colliders_[collider].start_edge(key.a),
          of_body(key.b)};
}

void Contacts::set_edges(Contact& c, const EdgeCrossing& crossing) const {
  const std::array<int, 2> second = edge_points(c.key.b);
  if (pricking_collider(c.key) >= 0) return c.set_edges(nullptr, crossing.s, second, crossing.t);
  const std::array<int, 2> first = edge_points(c.key.a);
  c.set_edges(&first, crossing.s, second, crossing.t);
}

void Contacts::set_edge_start(Contact& c, const Vector& x) const {
  const EdgePair at = edge_pair(c.key, false);
  const Vec3 across = at.a.along().cross(at.b.along());
  Vec3 towards = c.side * across;
  if (c.side == 0) {
    // Outwards of the solids; two sheets are on the sides on which they are.
    const int collider = pricking_collider(c.key);
    const bool solid_a =
        collider >= 0 ? !colliders_[collider].is_sheet() : !skins_[body_edge(c.key.a).skin].is_sheet();
    if (solid_a) towards -= at.a.normal;
    if (!skins_[body_edge(c.key.b).skin].is_sheet()) towards += at.b.normal;
  }
  const EdgeCrossing crossing = cross(at.a, at.b, towards);
  if (crossing.normal.isZero(0.0)) return;
  c.side = crossing.normal.dot(across) < 0.0 ? -1 : 1;
  c.share = c.end_share = crossing.share;
  set_edges(c, crossing);
  c.before = c.place = c.gather(x);
  c.start = c.end = crossing.distance - thickness(c) + shift(c, time_);
  c.normal = c.start_normal = crossing.normal;
}

bool Contacts::meet_edge(Contact& c, Touch& touch) const {
  const EdgePair at = edge_pair(c.key, true);
  const EdgeCrossing crossing = cross(at.a, at.b, c.start_normal);
  if (crossing.normal.isZero(0.0)) return false;
  // While there is no energy in it, it may become any share of a contact.
  if (c.start >= 0.0 && c.stretch.isZero(0.0)) c.share = c.end_share = crossing.share;
  set_edges(c, crossing);
  touch.end = crossing.distance - thickness(c);
  touch.normal = crossing.normal;
  const int collider = pricking_collider(c.key);
  if (collider >= 0)
    touch.slide = colliders_[collider].start_edge(c.key.a).at(crossing.s) - at.a.at(crossing.s);
  return true;
}

/// On which side of each other the edges are at the step's end; 0 where they do not cross.
int Contacts::end_side(const Contact& c) const {
  const EdgePair at = edge_pair(c.key, true);
  const EdgeCrossing crossing = cross(at.a, at.b, c.start_normal);
  if (crossing.share == 0.0) return 0;
  return crossing.normal.dot(at.a.along().cross(at.b.along())) < 0.0 ? -1 : 1;
}

void Contacts::find_at_edges(const Vector& x, const Vector& v) {
  found_edges_.clear();
  const ContactSettings& settings = input_.settings;
  if (skins_.empty() || settings.rule != ContactRule::exact) return;
  for (int from = 0; from < skin_count(); ++from)
    for (int to = from; to < skin_count(); ++to)
      if ((from == to ? settings.self : settings.between) && by_springs(from, to))
        find_bodies_edges(from, to, x, v);
  for (int c = 0; c < collider_count(); ++c)
    for (int s = 0; s < skin_count() && colliders_[c].has_corners(); ++s)
      if (by_springs(skin_count() + c, s)) find_collider_edges(c, s, v);
}

void Contacts::find_bodies_edges(int from, int to, const Vector& x, const Vector& v) {
  const Skin &a = skins_[from], &b = skins_[to];
  const double fall = 0.75 * h_ * h_ * gravity_, its_most = skin_half_thickness_[to];
  if (from != to && !reached(from, skin_half_thickness_[from] + its_most).intersects(reached(to, 0.0)))
    return;
  // Bodies that move together do not approach each other.
  Vec3 mean = Vec3::Zero();
  for (int i : b.points()) mean += point(v, i) / double(b.points().size());
  double fastest = 0.0;
  for (int i : b.points()) fastest = std::max(fastest, (point(v, i) - mean).norm());
  const int count = int(a.surface().edges.size());
  const std::size_t first = found_edges_.size();
  found_edges_.resize(first + count);
  parallel_pieces(count, 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const std::array<int, 2> p = a.edge_points(n);
      const double radius = edge_radius(p, false);
      if (const MetTriangles* met = met_by_point(p[0], to); met && !met->any) continue;
      const Way way = {h_ * (point(v, p[0]) - mean), h_ * (point(v, p[1]) - mean)};
      const double reach = std::abs(h_) * fastest, farthest = std::max(way[0].norm(), way[1].norm()) + reach;
      const Eigen::AlignedBox3d box = box_around({point(x, p[0]), point(x, p[1])}, way,
                                                 radius + its_most + fall + reach + 0.25 * farthest);
      if (!box.intersects(b.start_bounds())) continue;
      const EdgePlace place = a.start_edge(n);
      b.for_each_near(box, false, [&](int triangle) {
        for (int other : b.surface().edges_of[triangle]) {
          // Once only, from one of the triangles at it.
          if (other < 0 || b.surface().edges[other].triangle[0] != triangle) continue;
          const std::array<int, 2> q = b.edge_points(other);
          const double thickness = radius + edge_radius(q, false);
          if (from == to && (other <= n || a.neighbours(n, other, thickness))) continue;
          if (!input_.meetings.all_meet(p, q)) continue;
          const Way its_way = {h_ * (point(v, q[0]) - mean), h_ * (point(v, q[1]) - mean)};
          if (may_meet(place, way, b.start_edge(other), its_way, thickness, fall))
            found_edges_[first + n].push_back(
                {{edge_kind(), first_edge_[from] + n, first_edge_[to] + other}, {}});
        }
      });
    }
  });
}

void Contacts::find_collider_edges(int c, int s, const Vector& v) {
  const Collider& collider = colliders_[c];
  const Skin& skin = skins_[s];
  if (const MetTriangles* met = met_by_collider(c, s); met && !met->any) return;
  const MeshSurface& mesh = collider.corners();
  const double thickness = collider.spec().thickness, most = thickness + skin_radius_[s],
               fall = 0.75 * h_ * h_ * gravity_;
  std::vector<int> near;
  collider.for_each_near(reached(s, most), [&](int triangle) {
    for (int edge : mesh.edges_of[triangle])
      if (edge >= 0 && mesh.edges[edge].triangle[0] == triangle) near.push_back(edge);
  });
  const std::size_t first = found_edges_.size();
  found_edges_.resize(first + near.size());
  parallel_pieces(int(near.size()), 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      // A smooth collider is met by the points of bodies and with its own.
      if (!is_sharp(collider, near[n])) continue;
      const EdgePlace place = collider.start_edge(near[n]);
      const EdgePlace later = collider.end_edge(near[n]);
      const Way way = {later.end[0] - place.end[0], later.end[1] - place.end[1]};
      const double margin = most + skin_reach_[s] + 0.25 * std::max(way[0].norm(), way[1].norm());
      skin.for_each_near(box_around(place.end, way, margin), false, [&](int triangle) {
        for (int other : skin.surface().edges_of[triangle]) {
          if (other < 0 || skin.surface().edges[other].triangle[0] != triangle) continue;
          const std::array<int, 2> q = skin.edge_points(other);
          if (!input_.meetings.all_meet_collider(q, c)) continue;
          const Way its_way = {h_ * point(v, q[0]), h_ * point(v, q[1])};
          if (may_meet(place, way, skin.start_edge(other), its_way, thickness + edge_radius(q, true), fall))
            found_edges_[first + n].push_back({{edge_kind() + 1 + c, near[n], first_edge_[s] + other}, {}});
        }
      });
    }
  });
}

}  // namespace verve
