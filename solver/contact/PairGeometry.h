// Two parts of surfaces that may meet: a point and a triangle, or two edges. How near they are, how that
// changes, and how far they can go without touching.
#pragma once

#include <array>

#include "base/Types.h"
#include "contact/ContactKey.h"

namespace verve {

/// Of a point and a triangle x[0] against x[1] x[2] x[3], of two edges x[0] x[1] against x[2] x[3].
using Corners = std::array<Vec3, 4>;
using PairMatrix = Eigen::Matrix<double, 12, 12>;

inline int corners_of_first(PairKind kind) {
  return kind == PairKind::point_triangle ? 1 : 2;
}

/// The nearest places of both parts. The difference between them is sum weight[i] x[i].
struct PairPlace {
  double distance = 0.0;
  Vec3 direction =
      Vec3::Zero();  ///< of unit length, from the second part to the first; zero where they touch
  std::array<double, 4> weight{};
  int free = 0;  ///< in how many ways the nearest places can slide along the parts
  std::array<std::array<double, 4>, 2> slide{};  ///< how the weights change then
};
PairPlace nearest(PairKind kind, const Corners& x);

inline Vec3 sum(const std::array<double, 4>& weight, const Corners& x) {
  return weight[0] * x[0] + weight[1] * x[1] + weight[2] * x[2] + weight[3] * x[3];
}

/// The Hessian in the corners of a function of the distance with that slope and curvature; unless it is
/// wanted as it is, moved to the nearest one that is positive semi-definite.
PairMatrix distance_hessian(const PairPlace& at, const Corners& x, double slope, double curvature,
                            bool as_is = false);

/// How the distance changes over a step, exactly although the nearest places slide: sum weight[i] force .
/// (end[i] - start[i]) is the distance at the end less that at the start. The forces weight[i] force add up
/// to nothing and turn nothing about the middle of the ways. (Weights between those at start and end, for
/// which the difference of both parts is as much longer than the distance at the end as at the start.)
struct PairMean {
  std::array<double, 4> weight{};
  Vec3 force = Vec3::Zero();
};
PairMean mean_gradient(const PairPlace& at_start, const Corners& start, const PairPlace& at_end,
                       const Corners& end);

/// The share of the straight ways that can be gone with a distance above `least` all along; 1 when all of
/// them. After "additive" continuous collision detection (M. Li et al. 2021, "Codimensional incremental
/// potential contact"), with strides as long as the plane between the nearest places allows.
double free_share(PairKind kind, const Corners& x, const Corners& way, double least);

/// How much of a contact two edges make: less where they are nearly parallel, where their nearest places
/// jump.
double edge_share(const Corners& x);

}  // namespace verve
