#include "contact/PairGeometry.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "contact/SimplexDistance.h"

namespace verve {

PairPlace nearest(PairKind kind, const Corners& x) {
  const Vec3 corners[4] = {x[0], x[1], x[2], x[3]};
  const SimplexDistance near =
      kind == PairKind::point_triangle ? point_to_triangle(corners) : edge_to_edge(corners);
  PairPlace at;
  at.distance = near.distance;
  at.direction = near.direction;
  std::copy_n(near.weight, 4, at.weight.begin());
  const auto slides = [&](int from, int to, double sign) {
    at.slide[at.free][from] = -sign;
    at.slide[at.free++][to] = sign;
  };
  if (kind == PairKind::edge_edge) {
    if (at.weight[0] != 0.0 && at.weight[1] != 0.0) slides(0, 1, 1.0);
    if (at.weight[2] != 0.0 && at.weight[3] != 0.0) slides(2, 3, -1.0);
    return at;
  }
  int touched[3], count = 0;
  for (int k = 1; k < 4; ++k)
    if (at.weight[k] != 0.0) touched[count++] = k;
  for (int k = 1; k < count; ++k) slides(touched[0], touched[k], -1.0);
  return at;
}

PairMatrix distance_hessian(const PairPlace& at, const Corners& x, double slope, double curvature,
                            bool as_is) {
  // All of it lives in at most five directions: w n, w t1, w t2 and two u n, with w and u of four numbers
  // each.
  using Four = Eigen::Vector4d;
  using Five = Eigen::Matrix<double, 5, 5>;
  const Four weight(at.weight[0], at.weight[1], at.weight[2], at.weight[3]);
  const double size = weight.norm(), d = at.distance;
  const Vec3& n = at.direction;
  const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  std::array<Four, 3> base = {weight / size, Four::Zero(), Four::Zero()};
  Five m = Five::Zero();
  m(0, 0) = curvature * size * size;
  m(1, 1) = m(2, 2) = slope / d * size * size;
  Eigen::Matrix<double, 5, 2> c = Eigen::Matrix<double, 5, 2>::Zero();
  Eigen::Matrix2d inner = Eigen::Matrix2d::Identity();
  std::array<Vec3, 2> along{Vec3::Zero(), Vec3::Zero()};
  for (int j = 0; j < at.free; ++j) {
    const Four slide(at.slide[j][0], at.slide[j][1], at.slide[j][2], at.slide[j][3]);
    Four rest = slide;
    for (int k = 0; k <= j; ++k) rest -= base[k].dot(rest) * base[k];
    const double left = rest.norm();
    if (left > 1e-12) base[j + 1] = rest / left;
    along[j] = sum(at.slide[j], x);
    c(0, j) = size * along[j].dot(n) + d * base[0].dot(slide);
    c(1, j) = size * along[j].dot(t1);
    c(2, j) = size * along[j].dot(t2);
    for (int k = 1; k <= 2; ++k) c(2 + k, j) = d * base[k].dot(slide);
  }
  for (int j = 0; j < at.free; ++j)
    for (int k = 0; k < at.free; ++k) inner(j, k) = along[j].dot(along[k]);
  if (at.free > 0) {
    // Where edges are parallel the places slide without end.
    const double least = 1e-8 * inner.trace();
    inner(0, 0) += least, inner(1, 1) += least;
    m -= slope / d * (c * inner.inverse() * c.transpose());
  }
  if (!as_is) {
    const Eigen::SelfAdjointEigenSolver<Five> eigen(m);
    m = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
        eigen.eigenvectors().transpose();
  }
  Eigen::Matrix<double, 12, 5> basis;
  for (int i = 0; i < 4; ++i) {
    basis.block<3, 1>(3 * i, 0) = base[0][i] * n;
    basis.block<3, 1>(3 * i, 1) = base[0][i] * t1;
    basis.block<3, 1>(3 * i, 2) = base[0][i] * t2;
    basis.block<3, 1>(3 * i, 3) = base[1][i] * n;
    basis.block<3, 1>(3 * i, 4) = base[2][i] * n;
  }
  return basis * m * basis.transpose();
}

PairMean mean_gradient(const PairPlace& at_start, const Corners& start, const PairPlace& at_end,
                       const Corners& end) {
  std::array<double, 4> turned;
  for (std::size_t i = 0; i < 4; ++i) turned[i] = at_end.weight[i] - at_start.weight[i];
  const auto squared = [](double d) { return d * d; };
  // With weights that went the share s of the way from start's to end's, the square of the difference changes
  // by that of the distance where f0 + b s + c s^2 is 0; it is at least 0 at 0 and at most 0 at 1.
  const double f0 = std::max(0.0, sum(at_start.weight, end).squaredNorm() - squared(at_end.distance));
  const double f1 = std::max(0.0, sum(at_end.weight, start).squaredNorm() - squared(at_start.distance));
  const double c = sum(turned, end).squaredNorm() - sum(turned, start).squaredNorm();
  const double b = -f0 - f1 - c, root = std::sqrt(std::max(0.0, b * b - 4.0 * c * f0)) - b;
  const double share = root > 0.0 ? 2.0 * f0 / root : 0.5;
  PairMean mean;
  for (std::size_t i = 0; i < 4; ++i) mean.weight[i] = at_start.weight[i] + share * turned[i];
  mean.force = (sum(mean.weight, start) + sum(mean.weight, end)) / (at_start.distance + at_end.distance);
  return mean;
}

double free_share(PairKind kind, const Corners& x, const Corners& way, double least) {
  constexpr double caution = 0.9, close = 0.1;
  const int first = corners_of_first(kind);
  double share = 0.0;
  for (int stride = 0; stride < 1000; ++stride) {
    Corners there;
    for (int i = 0; i < 4; ++i) there[i] = x[i] + share * way[i];
    const PairPlace at = nearest(kind, there);
    const double left = at.distance - least;
    if (!(left > 0.0)) return share;
    double leaves = at.direction.dot(way[0]), comes = at.direction.dot(way[3]);
    for (int i = 0; i < first; ++i) leaves = std::min(leaves, at.direction.dot(way[i]));
    for (int i = first; i < 4; ++i) comes = std::max(comes, at.direction.dot(way[i]));
    const double closing = comes - leaves;
    if (!(closing > 0.0)) return 1.0;
    if (left <= close * least) return share;
    share += caution * left / closing;
    if (share >= 1.0) return 1.0;
  }
  return share;
}

double edge_share(const Corners& x) {
  return edge_fade({x[0], x[1], x[2], x[3]}).value;
}

}  // namespace verve
