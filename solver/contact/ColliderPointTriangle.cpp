#include "contact/ColliderPointTriangle.h"

#include <algorithm>

namespace verve {

void ColliderPointTriangle::find(const Vector&, const Vector&, const Memories& memories) {
  found_.clear();
  for (int c = 0; c < parts_.collider_count(); ++c) {
    const Collider& collider = parts_.colliders[c];
    for (int s = 0; s < parts_.skin_count() && collider.has_corners(); ++s) {
      if (!parts_.by_springs(parts_.skin_count() + c, s)) continue;
      if (const MetTriangles* met = parts_.met_by_collider(c, s); met && !met->any) continue;
      const MeshSurface& mesh = collider.corners();
      std::vector<int> near;
      const double widest = collider.spec().thickness + parts_.skin_radius(s);
      collider.for_each_near(parts_.reached(s, widest), [&](int triangle) {
        // Once only, from one of the triangles at it.
        for (int p : mesh.triangles[triangle])
          if (mesh.joined[p] == p && mesh.incident[mesh.incident_start[p]] == triangle) near.push_back(p);
      });
      const double size = parts_.skins[s].mean_edge(),
                   depth = std::max(0.1 * collider.spec().thickness, 1e-3 * size);
      const std::size_t first = found_.size();
      found_.resize(first + near.size());
      parallel_pieces(int(near.size()), 64, [&](int begin, int end) {
        for (int n = begin; n < end; ++n) {
          if (!collider.stands_out(near[n], size, depth)) continue;
          const Vec3 p = collider.start_vertex(near[n]);
          const double reach = (collider.end_vertex(near[n]) - p).norm();
          find_near({PairKind::collider_point_triangle, c, s, near[n]}, p, reach, memories,
                    found_[first + n]);
        }
      });
    }
  }
}

Contact ColliderPointTriangle::make(const ContactKey& key) const {
  Contact c = at_collider(key);
  c.stiffness *= parts_.collider(key).stiffness_at_vertex(key.a);
  c.grip = parts_.collider(key).friction_at_vertex(key.a);
  return c;
}

std::string ColliderPointTriangle::overlap(const ContactKey& key, double depth) const {
  return "collider point " + std::to_string(key.a) + ", " + std::to_string(depth) + " m inside '" +
         parts_.input.bodies[key.skin].name + "'";
}

bool ColliderPointTriangle::is_behind(const Contact& c) const {
  const MetTriangles* met = parts_.met_by_collider(c.key.collider, c.key.skin);
  if (met && !met->triangle.empty()) return c.start + thickness(c) < 0.0;
  const Collider& collider = parts_.collider(c.key);
  if (!parts_.skin(c.key).is_sheet() || collider.is_sheet()) return false;
  const Vec3 to_sheet = -c.before - collider.start_vertex(c.key.a);
  const Vec3 out = collider.start_vertex_normal(c.key.a).stableNormalized();
  return out.dot(to_sheet) < -0.2 * to_sheet.norm();
}

}  // namespace verve
