#include "contact/EdgePair.h"

#include <algorithm>

#include "contact/SimplexDistance.h"

namespace verve {

Eigen::AlignedBox3d EdgePair::box_around(const std::array<Vec3, 2>& end, const Way& way, double margin) {
  Eigen::AlignedBox3d box(end[0]);
  for (int k = 0; k < 2; ++k) box.extend(end[k]).extend(end[k] + way[k]);
  const Vec3 size = Vec3::Constant(margin);
  return {Vec3(box.min() - size), Vec3(box.max() + size)};
}

bool EdgePair::may_meet(const EdgePlace& a, const Way& way_a, const EdgePlace& b, const Way& way_b,
                        double thickness, double stray) {
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

void EdgePair::find_pressed(PairKind kind, const Memories& memories) {
  found_.emplace_back();
  for (const ContactMemory& m : memories)
    if (m.key.kind == kind && m.pressed) found_.back().push_back({m.key, {}});
}

EdgePlace EdgePair::second(const ContactKey& key, bool end) const {
  const ContactParts::BodyEdge e = parts_.body_edge(key.b);
  return end ? parts_.skins[e.skin].end_edge(e.edge) : parts_.skins[e.skin].start_edge(e.edge);
}

bool EdgePair::start(Contact& c, const Vector& x, const Distance*) const {
  const EdgePlace a = first(c.key, false), b = second(c.key, false);
  const Vec3 across = a.along().cross(b.along());
  Vec3 towards = c.side * across;
  if (c.side == 0) {
    // Outwards of the solids; two sheets are on the sides on which they are.
    if (first_is_solid(c.key)) towards -= a.normal;
    if (!parts_.skins[parts_.body_edge(c.key.b).skin].is_sheet()) towards += b.normal;
  }
  const EdgeCrossing crossing = cross(a, b, towards);
  if (crossing.normal.isZero(0.0)) return false;
  c.side = crossing.normal.dot(across) < 0.0 ? -1 : 1;
  c.share = c.end_share = crossing.share;
  set_edges(c, crossing);
  c.before = c.place = c.gather(x);
  c.start = c.end = crossing.distance - thickness(c) + parts_.shift(c, parts_.time);
  c.normal = c.start_normal = crossing.normal;
  return true;
}

bool EdgePair::is_behind(const Contact& c) const {
  return c.start + thickness(c) < -depth_behind(c.key);
}

bool EdgePair::meet(Contact& c, const Vector&, Touch& touch) const {
  const EdgeCrossing crossing = cross(first(c.key, true), second(c.key, true), c.start_normal);
  if (crossing.normal.isZero(0.0)) return false;
  // While there is no energy in it, it may become any share of a contact.
  if (c.start >= 0.0 && c.stretch.isZero(0.0)) c.share = c.end_share = crossing.share;
  set_edges(c, crossing);
  touch.end = crossing.distance - thickness(c);
  touch.normal = crossing.normal;
  touch.slide = slide(c.key, crossing);
  return true;
}

void EdgePair::remember(const Contact& c, bool presses, ContactMemory& m) const {
  const EdgePlace a = first(c.key, true), b = second(c.key, true);
  const EdgeCrossing crossing = cross(a, b, c.start_normal);
  // The side is none where they do not cross.
  if (crossing.share != 0.0) m.side = crossing.normal.dot(a.along().cross(b.along())) < 0.0 ? -1 : 1;
  m.pressed = presses;
}

}  // namespace verve
