#include "simulation/Ropes.h"

#include <cmath>
#include <set>

namespace verve {

RopeLaw round_rope(double young, double thickness) {
  const double squared = thickness * thickness;
  return {young * M_PI / 4.0 * squared, young * M_PI / 64.0 * squared * squared};
}

void add_ropes(Body& body, const std::vector<std::vector<int>>& lines, const std::vector<double>& scale,
               const RopeLaw& law, const std::vector<double>& stiffness) {
  const auto place = [&](int i) -> const Vec3& { return body.rest[std::size_t(i)]; };
  const auto multiplier = [&](int i) { return stiffness.empty() ? 1.0 : stiffness[std::size_t(i)]; };
  SpringMaterial& springs = body.spring_material;
  springs.model = SpringModel::stvk;
  body.links = true;
  springs.length.resize(body.springs.size(), 0.0);
  std::set<std::array<int, 2>> known;  // lines may share segments
  const auto add_corner = [&](int a, int b, int c, double by) {
    const Vec3 before = place(b) - place(a), after = place(c) - place(b);
    const double angle = (after.normalized() - before.normalized()).norm();
    body.corners.push_back({a, b, c});
    body.rope.rigidity.push_back(law.bend * multiplier(b));
    body.rope.sides.insert(body.rope.sides.end(), {by * before.norm(), by * after.norm()});
    body.rope.angle.push_back(angle > 1e-7 ? angle : 0.0);  // straight but for rounding
  };
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const std::vector<int>& line = lines[l];
    for (std::size_t k = 0; k + 1 < line.size(); ++k) {
      const int a = line[k], b = line[k + 1];
      if (!known.insert({std::min(a, b), std::max(a, b)}).second) continue;
      const double length = scale[l] * (place(b) - place(a)).norm();
      body.springs.push_back({a, b});
      springs.length.push_back(length);
      // k/2 (|p|^2 - l^2)^2 with Green's strain (|p|^2 - l^2) / (2 l^2) is EA l/2 of its square.
      springs.stiffness.push_back(law.stretch * 0.5 * (multiplier(a) + multiplier(b)) /
                                  (4.0 * length * length * length));
    }
    if (law.bend == 0.0) continue;
    for (std::size_t k = 0; k + 2 < line.size(); ++k) add_corner(line[k], line[k + 1], line[k + 2], scale[l]);
    if (line.size() > 3 && line.front() == line.back())
      add_corner(line[line.size() - 2], line[0], line[1], scale[l]);
  }
}

}  // namespace verve
