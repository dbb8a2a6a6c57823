#include "contact/PointCollider.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace verve {
namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();
constexpr double still = 1e-24;  ///< a way whose square is shorter has no direction, m^2

}  // namespace

// A contact may be within reach of the velocity and of what gravity adds; should a point go farther, it is
// looked at again when the step has been solved.
void PointCollider::find(const Vector& x, const Vector& v, const Memories& memories) {
  const std::vector<int>& points = parts_.input.points;
  const ContactSettings& settings = parts_.input.settings;
  found_.resize(points.size());
  parallel_pieces(int(points.size()), 64, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const int i = points[n];
      const Vec3 p = parts_.place_of(i, x);
      const double reach = parts_.reach(parts_.place_of(i, v).norm());
      clearance_[n] = reach;
      found_[n].clear();
      for (int c = 0; c < parts_.collider_count(); ++c) {
        const Collider& collider = parts_.colliders[c];
        if (!parts_.meets_collider(i, c)) continue;
        const ContactKey key{PairKind::point_collider, c, -1, i};
        const double radius = parts_.radius_of(i);
        double limit = reach + collider.motion(p, reach + radius + collider.spec().thickness);
        if (settings.wall) limit += settings.wall_reach;
        if (collider.is_sheet() && was_pressed(memories, key)) limit = anywhere;
        const Distance d = collider.start_distance(p, limit + radius);
        if (collider.is_mesh() && d.triangle < 0) continue;  // nothing within the limit
        if (collider.gap_of(d, 0).value - radius <= limit) found_[n].push_back({key, d});
      }
    }
  });
}

std::vector<ContactKey> PointCollider::find_farther(const Vector& x) {
  std::vector<ContactKey> keys;
  for (std::size_t n = 0; n < clearance_.size(); ++n) {
    const int i = parts_.input.points[n];
    if ((parts_.place_of(i, x) - parts_.place_of(i, parts_.x0)).norm() <= clearance_[n]) continue;
    clearance_[n] = anywhere;
    for (int c = 0; c < parts_.collider_count(); ++c)
      if (parts_.meets_collider(i, c)) keys.push_back({PairKind::point_collider, c, -1, i});
  }
  return keys;
}

Contact PointCollider::make(const ContactKey& key) const {
  Contact c = at_collider(key);
  c.radius = parts_.radius_of(key.a);
  set_point(c, key.a);
  return c;
}

double PointCollider::found_gap(const FoundPair& f, Contact c) const {
  return parts_.collider(f.key).gap_of(f.distance, 0).value - c.radius;
}

std::string PointCollider::overlap(const ContactKey& key, double depth) const {
  return "point " + std::to_string(key.a) + ", " + std::to_string(depth) + " m inside '" +
         parts_.collider(key).spec().name + "'";
}

bool PointCollider::start(Contact& c, const Vector& x, const Distance* known) const {
  const Collider& collider = parts_.collider(c.key);
  const Vec3 p = c.gather(x);
  Distance d = known ? *known : collider.start_distance(p, anywhere);
  if (c.side == 0) c.side = collider.is_sheet() && d.value < 0.0 ? -1 : 1;
  d = collider.gap_of(d, c.side);
  c.share = c.end_share = collider.stiffness_at(d);
  c.before = c.place = p;
  c.start = c.end = d.value + parts_.shift(c, parts_.time);
  c.normal = c.start_normal = d.normal;
  return true;
}

void PointCollider::foresee(Contact& c) const {
  const Collider& collider = parts_.collider(c.key);
  if (collider.moves())
    c.moved = collider.end_gap(c.before, c.side, anywhere).value + parts_.shift(c, parts_.time) - c.start;
}

bool PointCollider::look(Contact& c, const Chord& chord, const Vector& x, int round,
                         Surroundings& near) const {
  if (round < last_round) {
    // Where looking again and again goes back and forth, half a way each time ends it.
    look_closely(c, chord, x, round < eager_rounds ? 1.0 : 0.5, near);
  } else if (!c.booked) {
    c.book(c.gather(x), c.gap(c.gather(x)), 0.0, c.moved);
    c.end_share = c.share;
  }
  return true;
}

void PointCollider::turn_to_side(Contact& c, const Vec3& at) const {
  const Collider& collider = parts_.collider(c.key);
  if (!c.wall.stands() || !collider.is_sheet()) return;
  const Distance d = collider.end_gap(at, 1, anywhere);
  if (!d.rim) c.side = d.value + collider.spec().thickness < 0.0 ? -1 : 1;
}

void PointCollider::look_closely(Contact& c, const Chord& chord, const Vector& x, double share,
                                 Surroundings& near) const {
  const Collider& collider = parts_.collider(c.key);
  const double where = chord.average ? -1.0 : chord.samples.front().s;
  const double shift0 = parts_.shift(c, parts_.time), shift1 = parts_.shift(c, parts_.time + parts_.h);
  const Vec3 at = c.gather(x);
  const double way = (at - c.before).norm(), start = c.start - shift0;
  // A gap cannot change by more than both travel: most contacts that were listed stay open.
  const double least = start - way - collider.motion(c.before, way + c.radius + collider.spec().thickness);
  if (start > 0.0 && least + std::min(shift0, shift1) > 0.0) {
    // The tangent plane at the start is exact for planes, and open at `at` as well: a lower bound of the gap
    // in its place would push on points that touch nothing.
    c.normal = c.start_normal;
    c.place = c.before;
    c.end = c.start + shift1 - shift0;
    c.moved = c.press = 0.0;
    c.correction.setZero();
    return;
  }
  turn_to_side(c, at);
  const Touch t =
      collider.touch(c.before, at, c.side, start, c.start_normal, where, c.radius, near, c.wall.stands());
  c.start = t.start + shift0;
  c.moved = t.moved + shift1 - shift0;
  c.slide = t.slide;
  c.through = t.through;
  c.end_share = t.through ? c.share : t.stiffness;
  c.grip = t.friction;
  c.place = at;
  c.normal = ((1.0 - share) * c.normal + share * t.normal).normalized();
  const double end = c.end = t.end + shift1;
  // The gap is taken to change evenly along the chord: let it be right where the scheme samples it.
  if (!chord.average && where > 0.0)
    c.end = c.start + (t.middle + shift0 + where * (shift1 - shift0) - c.start) / where;
  c.correction *= 1.0 - share;
  if (chord.average) {
    const Vec3 path = at - c.before;
    const double squared = path.squaredNorm(), linear_force = c.force(chord, c.gap(at));
    // Where the collider's stiffness varies, so does the potential on the way.
    const double change = c.end_share == c.share ? c.force(chord, end) * (end - c.start)
                                                 : c.end_potential(end) - c.potential(c.start).value;
    const double gap = change - linear_force * (c.moved + c.normal.dot(path));
    if (squared > still) c.correction += share * gap / squared * path;
  }
}

double PointCollider::end_gap(const Contact& c, const Vector& x) const {
  // Behind a sheet a point is as far from it as in front: no limit would find the surface.
  const Collider& collider = parts_.collider(c.key);
  const double shifted = parts_.shift(c, parts_.time + parts_.h);
  const double limit = collider.is_sheet() ? anywhere : std::max(0.0, -shifted);
  return collider.end_gap(c.gather(x), c.side, limit).value + shifted;
}

double PointCollider::penetration(const Contact& c, double end_gap) const {
  return parts_.shift(c, parts_.time + parts_.h) - end_gap - c.radius -
         parts_.collider(c.key).spec().thickness;
}

void PointCollider::remember(const Contact& c, bool presses, ContactMemory& m) const {
  if (!parts_.collider(c.key).is_sheet()) return;
  m.side = c.side;
  m.pressed = presses;
}

}  // namespace verve
