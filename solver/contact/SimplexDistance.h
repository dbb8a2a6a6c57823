// How near a point is to a triangle, or an edge to an edge.
#pragma once

#include "base/Types.h"

namespace verve {

/// The distance of two simplices a (first) and b (then) with four corners in all, and how it changes with
/// them: its gradient at corner i is weight[i] * direction.
struct SimplexDistance {
  double distance = 0.0;
  Vec3 direction = Vec3::Zero();  ///< of unit length, from b to a; zero when they touch
  double weight[4] = {};          ///< sums to 1 over a, to -1 over b
};

/// x[0] against the triangle x[1] x[2] x[3].
SimplexDistance point_to_triangle(const Vec3 (&x)[4]);
/// The edge x[0] x[1] against the edge x[2] x[3].
SimplexDistance edge_to_edge(const Vec3 (&x)[4]);

/// Nearest points jump along edges that are parallel, and with them the force. Contact of edges is therefore
/// multiplied with a factor that fades as they become parallel (after M. Li et al. 2020, "Incremental
/// Potential Contact"), where their ends meet triangles instead.
struct EdgeFade {
  double value = 1.0;
  Vec3 gradient[4] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
};
EdgeFade edge_fade(const Vec3 (&x)[4]);

}  // namespace verve
