#include "contact/EdgeEdge.h"

#include <algorithm>
#include <cmath>

namespace verve {

void EdgeEdge::find(const Vector& x, const Vector& v, const Memories& memories) {
  found_.clear();
  const ContactSettings& settings = parts_.input.settings;
  if (settings.rule == ContactRule::exact)
    for (int from = 0; from < parts_.skin_count(); ++from)
      for (int to = from; to < parts_.skin_count(); ++to)
        if ((from == to ? settings.self : settings.between) && parts_.by_springs(from, to))
          find_between(from, to, x, v);
  find_pressed(PairKind::edge_edge, memories);
}

void EdgeEdge::find_between(int from, int to, const Vector& x, const Vector& v) {
  const Skin &a = parts_.skins[from], &b = parts_.skins[to];
  const double h = parts_.h, fall = 0.75 * h * h * parts_.gravity, its_most = parts_.skin_half_thickness(to);
  const double most = parts_.skin_half_thickness(from) + its_most;
  if (from != to && !parts_.reached(from, most).intersects(parts_.reached(to, 0.0))) return;
  // Bodies that move together do not approach each other.
  Vec3 mean = Vec3::Zero();
  for (int i : b.points()) mean += point(v, i) / double(b.points().size());
  double fastest = 0.0;
  for (int i : b.points()) fastest = std::max(fastest, (point(v, i) - mean).norm());
  const int count = int(a.surface().edges.size());
  const std::size_t first = found_.size();
  found_.resize(first + count);
  parallel_pieces(count, 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const std::array<int, 2> p = a.edge_points(n);
      const double radius = parts_.edge_radius(p, false);
      if (const MetTriangles* met = parts_.met_by_point(p[0], to); met && !met->any) continue;
      const Way way = {h * (point(v, p[0]) - mean), h * (point(v, p[1]) - mean)};
      const double reach = std::abs(h) * fastest, farthest = std::max(way[0].norm(), way[1].norm()) + reach;
      const Eigen::AlignedBox3d box = box_around({point(x, p[0]), point(x, p[1])}, way,
                                                 radius + its_most + fall + reach + 0.25 * farthest);
      if (!box.intersects(b.start_bounds())) continue;
      const EdgePlace place = a.start_edge(n);
      b.for_each_near(box, false, [&](int triangle) {
        for (int other : b.surface().edges_of[triangle]) {
          // Once only, from one of the triangles at it.
          if (other < 0 || b.surface().edges[other].triangle[0] != triangle) continue;
          const std::array<int, 2> q = b.edge_points(other);
          const double thickness = radius + parts_.edge_radius(q, false);
          if (from == to && (other <= n || a.neighbours(n, other, thickness))) continue;
          if (!parts_.input.collision_matrix.all_meet(p, q)) continue;
          const Way its_way = {h * (point(v, q[0]) - mean), h * (point(v, q[1]) - mean)};
          if (!may_meet(place, way, b.start_edge(other), its_way, thickness, fall)) continue;
          const int own = parts_.edge_number(from, n), its = parts_.edge_number(to, other);
          found_[first + n].push_back({{PairKind::edge_edge, -1, -1, own, its}, {}});
        }
      });
    }
  });
}

Contact EdgeEdge::make(const ContactKey& key) const {
  Contact c = between_bodies(key);
  const std::array<int, 2> p = parts_.edge_points(key.a), q = parts_.edge_points(key.b);
  multiply(c, {p[0], p[1], q[0], q[1]});
  return c;
}

EdgePlace EdgeEdge::first(const ContactKey& key, bool end) const {
  const ContactParts::BodyEdge e = parts_.body_edge(key.a);
  return end ? parts_.skins[e.skin].end_edge(e.edge) : parts_.skins[e.skin].start_edge(e.edge);
}

bool EdgeEdge::first_is_solid(const ContactKey& key) const {
  return !parts_.skins[parts_.body_edge(key.a).skin].is_sheet();
}

void EdgeEdge::set_edges(Contact& c, const EdgeCrossing& crossing) const {
  const std::array<int, 2> first = parts_.edge_points(c.key.a);
  c.set_edges(&first, crossing.s, parts_.edge_points(c.key.b), crossing.t);
}

double EdgeEdge::depth_behind(const ContactKey& key) const {
  // A body's own far side is behind each of its edges.
  const int skin = parts_.body_edge(key.b).skin;
  return parts_.body_edge(key.a).skin == skin ? 0.0 : 0.25 * parts_.skins[skin].mean_edge();
}

void EdgeEdge::for_each_coupled(const Contact& c, const Vector&, const Vector& ahead, double widening,
                                FunctionRef<void(const std::array<int, 2>&)> visit) const {
  const std::array<int, 2> p = parts_.edge_points(c.key.a), q = parts_.edge_points(c.key.b);
  const double travel = (c.gather(ahead) - c.before).norm();
  const double widest = parts_.edge_radius(q, false) + parts_.edge_radius(p, false);
  Contact there = c;
  Touch touch;
  if (!meet(there, ahead, touch) || there.share + c.share == 0.0) return;
  if (std::min(c.start, touch.end) > widening * (0.25 * travel + widest)) return;
  for (int i : p)
    for (int k : q) visit(std::array<int, 2>{std::min(i, k), std::max(i, k)});
}

}  // namespace verve
