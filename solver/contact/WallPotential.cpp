#include "contact/WallPotential.h"

#include <cmath>

namespace verve {

PathPotential wall(double strength, double reach, double d) {
  if (!(d < reach)) return {};
  const double k = strength, D = reach, in = D - d;
  return {k * in * in / (d * D), k * (1.0 / D - D / (d * d)), 2.0 * k * D / (d * d * d)};
}

PathPotential wall_path(double strength, double reach, double a, double b) {
  const double k = strength, D = reach, way = b - a;
  if (a >= D && b >= D) return {};
  if (a < D && b < D)
    return {k * (way / D - D / a * std::log1p(way / a)), k * (1.0 / D - D / (a * b)), k * D / (a * b * b)};
  if (b < D) {
    const PathPotential end = wall(k, D, b);
    const double out = a - D;
    const double last = out > 0.0 ? out * out / a * std::log1p((D - b) / out) : 0.0;
    return {k / D * (b - D - D * D / a * std::log(b / D) + last), end.value / way,
            (end.slope * way - end.value) / (way * way)};
  }
  const double stored = wall(k, D, a).value;
  const double to_reach = k * ((D - a) / D - D / a * std::log(D / a));
  return {to_reach - stored * std::log(way / (D - a)), -stored / way, stored / (way * way)};
}

}  // namespace verve
