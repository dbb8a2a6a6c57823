#include "contact/ColliderEdgeEdge.h"

#include <algorithm>
#include <cmath>

namespace verve {
namespace {

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

}  // namespace

void ColliderEdgeEdge::find(const Vector&, const Vector& v, const Memories& memories) {
  found_.clear();
  if (parts_.input.settings.rule == ContactRule::exact)
    for (int c = 0; c < parts_.collider_count(); ++c)
      for (int s = 0; s < parts_.skin_count() && parts_.colliders[c].has_corners(); ++s)
        if (parts_.by_springs(parts_.skin_count() + c, s)) find_at(c, s, v);
  find_pressed(PairKind::collider_edge_edge, memories);
}

void ColliderEdgeEdge::find_at(int c, int s, const Vector& v) {
  const Collider& collider = parts_.colliders[c];
  const Skin& skin = parts_.skins[s];
  if (const MetTriangles* met = parts_.met_by_collider(c, s); met && !met->any) return;
  const MeshSurface& mesh = collider.corners();
  const double h = parts_.h, fall = 0.75 * h * h * parts_.gravity;
  const double thickness = collider.spec().thickness, most = thickness + parts_.skin_radius(s);
  std::vector<int> near;
  collider.for_each_near(parts_.reached(s, most), [&](int triangle) {
    for (int edge : mesh.edges_of[triangle])
      if (edge >= 0 && mesh.edges[edge].triangle[0] == triangle) near.push_back(edge);
  });
  const std::size_t first = found_.size();
  found_.resize(first + near.size());
  parallel_pieces(int(near.size()), 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      // A smooth collider is met by the points of bodies and with its own.
      if (!is_sharp(collider, near[n])) continue;
      const EdgePlace place = collider.start_edge(near[n]);
      const EdgePlace later = collider.end_edge(near[n]);
      const Way way = {later.end[0] - place.end[0], later.end[1] - place.end[1]};
      const double margin = most + parts_.skin_reach(s) + 0.25 * std::max(way[0].norm(), way[1].norm());
      skin.for_each_near(box_around(place.end, way, margin), false, [&](int triangle) {
        for (int other : skin.surface().edges_of[triangle]) {
          if (other < 0 || skin.surface().edges[other].triangle[0] != triangle) continue;
          const std::array<int, 2> q = skin.edge_points(other);
          if (!parts_.input.collision_matrix.all_meet_collider(q, c)) continue;
          const Way its_way = {h * point(v, q[0]), h * point(v, q[1])};
          const double within = thickness + parts_.edge_radius(q, true);
          if (!may_meet(place, way, skin.start_edge(other), its_way, within, fall)) continue;
          const int its = parts_.edge_number(s, other);
          found_[first + n].push_back({{PairKind::collider_edge_edge, c, -1, near[n], its}, {}});
        }
      });
    }
  });
}

Contact ColliderEdgeEdge::make(const ContactKey& key) const {
  Contact c = at_collider(key);
  const Collider& collider = parts_.collider(key);
  // Where the edge is touched the multipliers are taken from its middle, so that they do not change.
  double stiffness = 0.0, friction = 0.0;
  for (int i : collider.corners().edges[key.a].point) {
    stiffness += collider.stiffness_at_vertex(i) / 2.0;
    friction += collider.friction_at_vertex(i) / 2.0;
  }
  c.stiffness *= stiffness, c.grip = friction;
  const std::array<int, 2> q = parts_.edge_points(key.b);
  multiply(c, {q[0], q[1]});
  return c;
}

EdgePlace ColliderEdgeEdge::first(const ContactKey& key, bool end) const {
  return end ? parts_.collider(key).end_edge(key.a) : parts_.collider(key).start_edge(key.a);
}

void ColliderEdgeEdge::set_edges(Contact& c, const EdgeCrossing& crossing) const {
  c.set_edges(nullptr, crossing.s, parts_.edge_points(c.key.b), crossing.t);
}

double ColliderEdgeEdge::depth_behind(const ContactKey& key) const {
  return 0.25 * parts_.skins[parts_.body_edge(key.b).skin].mean_edge();
}

Vec3 ColliderEdgeEdge::slide(const ContactKey& key, const EdgeCrossing& crossing) const {
  return first(key, false).at(crossing.s) - first(key, true).at(crossing.s);
}

}  // namespace verve
