#include "contact/SkinPair.h"

#include <cmath>
#include <limits>

namespace verve {
namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();

}  // namespace

bool SkinPair::look(Contact& c, const Chord&, const Vector& x, int round, Surroundings&) const {
  if (round >= last_round) return true;
  Touch touch;
  if (!meet(c, x, touch)) return false;
  const double time = parts_.time, end = time + parts_.h;
  const double centre = force_centre(c.start - parts_.shift(c, time), touch.end);
  Vec3 normal = (1.0 - centre) * c.start_normal + centre * touch.normal;
  if (normal.squaredNorm() > 0.01)
    normal.normalize();
  else
    normal = touch.normal;
  c.before = c.gather(parts_.x0);
  c.normal = normal;
  c.slide = touch.slide;
  c.book(c.gather(x), touch.end + parts_.shift(c, end), -c.normal.dot(c.slide),
         parts_.eased(c, end) - parts_.eased(c, time));
  return true;
}

double SkinPair::end_gap(const Contact& c, const Vector& x) const {
  Contact there = c;
  Touch touch;
  return meet(there, x, touch) ? touch.end + parts_.shift(c, parts_.time + parts_.h) : c.gap(c.gather(x));
}

void PointAtSkin::find_near(const ContactKey& key, const Vec3& p, double reach, const Memories& memories,
                            std::vector<FoundPair>& out) const {
  const Seeker who = seeker(key, p);
  if (who.met && !who.met->any) return;
  const Skin& skin = parts_.skin(key);
  const bool pressed = skin.is_sheet() && was_pressed(memories, key);
  const double far = pressed ? anywhere : reach + parts_.skin_reach(key.skin) + who.thickness;
  if (skin.start_bounds().squaredExteriorDistance(p) > far * far) return;
  const Distance d = skin.start_distance(p, far, who);
  const double value = skin.is_sheet() ? std::abs(d.value) : d.value;
  if (d.triangle >= 0 && value <= far) out.push_back({key, d});
}

double PointAtSkin::found_gap(const FoundPair& f, Contact c) const {
  const Skin& skin = parts_.skin(f.key);
  c.set_triangle(skin.corners(f.distance.triangle), f.distance.weights, alone());
  const double value = f.distance.value;
  return (skin.is_sheet() ? std::abs(value) : value) - thickness(c);
}

bool PointAtSkin::start(Contact& c, const Vector& x, const Distance* known) const {
  const Skin& skin = parts_.skin(c.key);
  const Vec3 p = start_place(c.key);
  Distance d = known ? *known : skin.start_distance(p, anywhere, seeker(c.key, p));
  if (d.triangle < 0) return false;
  if (c.side == 0) c.side = skin.is_sheet() && d.value < 0.0 ? -1 : 1;
  if (c.side < 0 && !d.rim) d.value = -d.value, d.normal = -d.normal;
  c.set_triangle(skin.corners(d.triangle), d.weights, alone());
  c.before = c.place = c.gather(x);
  c.start = c.end = d.value - thickness(c) + parts_.shift(c, parts_.time);
  c.normal = c.start_normal = d.normal;
  return true;
}

bool PointAtSkin::meet(Contact& c, const Vector& x, Touch& touch) const {
  const Skin& skin = parts_.skin(c.key);
  const Vec3 from = start_place(c.key), to = end_place(c.key, x);
  Distance d = skin.end_distance(to, anywhere, seeker(c.key, from));
  if (d.triangle < 0) return false;
  if (c.side < 0 && !d.rim) d.value = -d.value, d.normal = -d.normal;
  c.set_triangle(skin.corners(d.triangle), d.weights, alone());
  touch.end = d.value - thickness(c);
  touch.normal = d.normal;
  if (alone()) touch.slide = from - to;
  return true;
}

void PointAtSkin::remember(const Contact& c, bool presses, ContactMemory& m) const {
  const bool sheet = parts_.skin(c.key).is_sheet();
  if (sheet || has_front(c.key)) m.side = c.side;
  m.pressed = sheet && presses;
}

}  // namespace verve
