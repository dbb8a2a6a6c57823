#include "contact/PointTriangle.h"

#include <algorithm>
#include <limits>

namespace verve {

void PointTriangle::find(const Vector& x, const Vector& v, const Memories& memories) {
  found_.clear();
  const ContactSettings& settings = parts_.input.settings;
  if (!settings.between && !settings.self) return;
  for (int from = 0; from < parts_.skin_count(); ++from) {
    const std::vector<int>& points = parts_.skins[from].points();
    const std::size_t first = found_.size();
    found_.resize(first + points.size());
    parallel_pieces(int(points.size()), 64, [&](int begin, int end) {
      for (int n = begin; n < end; ++n) {
        const int i = points[n];
        const double reach = parts_.reach(point(v, i).norm());
        for (int s = 0; s < parts_.skin_count(); ++s) {
          if ((s == from ? !settings.self : !settings.between) || !parts_.by_springs(from, s)) continue;
          find_near({PairKind::point_triangle, -1, s, i}, point(x, i), reach, memories, found_[first + n]);
        }
      }
    });
  }
}

Contact PointTriangle::make(const ContactKey& key) const {
  Contact c = between_bodies(key);
  set_point(c, key.a);
  return c;
}

std::string PointTriangle::overlap(const ContactKey& key, double depth) const {
  return "point " + std::to_string(key.a) + ", " + std::to_string(depth) + " m inside '" +
         parts_.input.bodies[key.skin].name + "'";
}

double PointTriangle::widest(const ContactKey& key) const {
  const ContactInput& input = parts_.input;
  return input.half_thickness.empty() ? input.settings.thickness
                                      : input.half_thickness[key.a] + parts_.skin_half_thickness(key.skin);
}

Seeker PointTriangle::seeker(const ContactKey& key, const Vec3& from) const {
  return {own(key) ? key.a : -1, from, widest(key), parts_.met_by_point(key.a, key.skin)};
}

bool PointTriangle::is_behind(const Contact& c) const {
  const MetTriangles* met = parts_.met_by_point(c.key.a, c.key.skin);
  return (own(c.key) || (met && !met->triangle.empty())) && c.start + thickness(c) < 0.0;
}

void PointTriangle::for_each_coupled(const Contact& c, const Vector& x, const Vector& ahead, double widening,
                                     FunctionRef<void(const std::array<int, 2>&)> visit) const {
  const Skin& skin = parts_.skin(c.key);
  const double thickness = widest(c.key), travel = (c.gather(ahead) - c.gather(x)).norm();
  const Distance d = skin.end_distance(point(ahead, c.key.a), std::numeric_limits<double>::infinity(),
                                       seeker(c.key, point(x, c.key.a)));
  const double gap = (c.side < 0 && !d.rim ? -d.value : d.value) - thickness;
  if (d.triangle < 0 || std::min(c.start, gap) > 0.25 * widening * travel + thickness) return;
  const Vec3 half = Vec3::Constant(widening * (0.75 * skin.mean_edge() + 0.1 * travel));
  const auto around = [&](const Vec3& place, bool end) {
    skin.for_each_near({Vec3(place - half), Vec3(place + half)}, end, [&](int triangle) {
      const std::array<int, 3> q = skin.corners(triangle);
      for (int k = 0; k < 3; ++k)
        for (int other : {c.key.a, q[(k + 1) % 3]})
          if (q[k] != other) visit(std::array<int, 2>{std::min(q[k], other), std::max(q[k], other)});
    });
  };
  around(point(x, c.key.a) - c.gather(x), false);
  Vec3 place = Vec3::Zero();
  const std::array<int, 3> q = skin.corners(d.triangle);
  for (int k = 0; k < 3; ++k) place += d.weights[k] * point(ahead, q[k]);
  around(place, true);
}

}  // namespace verve
