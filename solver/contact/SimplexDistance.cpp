#include "contact/SimplexDistance.h"

#include <algorithm>

#include "mesh/TriangleTree.h"

namespace verve {
namespace {

/// The squared sine of the angle between edges below which their contact fades.
constexpr double parallel = 0.02;

void finish(const Vec3 (&x)[4], SimplexDistance& near) {
  Vec3 between = Vec3::Zero();
  for (int i = 0; i < 4; ++i) between += near.weight[i] * x[i];
  near.distance = between.norm();
  if (near.distance > 0.0) near.direction = between / near.distance;
}

}  // namespace

SimplexDistance point_to_triangle(const Vec3 (&x)[4]) {
  const Vec3 w = closest_weights(x[0], x[1], x[2], x[3]);
  SimplexDistance near;
  near.weight[0] = 1.0;
  for (int k = 0; k < 3; ++k) near.weight[k + 1] = -w[k];
  finish(x, near);
  return near;
}

SimplexDistance edge_to_edge(const Vec3 (&x)[4]) {
  const Vec3 u = x[1] - x[0], w = x[3] - x[2], r = x[0] - x[2];
  const double uu = u.squaredNorm(), ww = w.squaredNorm(), uw = u.dot(w), ur = u.dot(r), wr = w.dot(r);
  const auto clamp = [](double a) { return std::min(1.0, std::max(0.0, a)); };
  const double determinant = uu * ww - uw * uw;
  // Parallel edges: any place serves.
  double s = determinant > 1e-14 * uu * ww ? clamp((uw * wr - ww * ur) / determinant) : 0.0;
  double t = ww > 0.0 ? clamp((uw * s + wr) / ww) : 0.0;
  s = uu > 0.0 ? clamp((uw * t - ur) / uu) : 0.0;
  SimplexDistance near;
  near.weight[0] = 1.0 - s, near.weight[1] = s;
  near.weight[2] = t - 1.0, near.weight[3] = -t;
  finish(x, near);
  return near;
}

EdgeFade edge_fade(const Vec3 (&x)[4]) {
  EdgeFade fade;
  const Vec3 u = x[1] - x[0], w = x[3] - x[2];
  const double uu = u.squaredNorm(), ww = w.squaredNorm(), uw = u.dot(w);
  const double squared_sine = std::max(0.0, 1.0 - uw * uw / (uu * ww));
  if (!(squared_sine < parallel)) return fade;
  const double c = squared_sine / parallel;
  fade.value = c * (2.0 - c);
  const double slope = (2.0 - 2.0 * c) / parallel * (-2.0 * uw / (uu * ww));
  const Vec3 by_u = slope * (w - uw / uu * u), by_w = slope * (u - uw / ww * w);
  fade.gradient[0] = -by_u, fade.gradient[1] = by_u;
  fade.gradient[2] = -by_w, fade.gradient[3] = by_w;
  return fade;
}

}  // namespace verve
