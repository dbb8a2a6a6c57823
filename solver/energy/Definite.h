// Making element Hessians positive definite, four elements at a time.
#pragma once

#include <Eigen/Eigenvalues>

#include "base/Pack.h"

namespace verve {

/// The lanes (as bits) in which b + mass is not positive definite. A pack of elements is tried by Cholesky,
/// so that the eigenvalues are computed only for those that need it.
template <int K>
unsigned indefinite_lanes(const Pack (&b)[K][K], Pack mass) {
  Pack l[K][K];
  unsigned bad = 0;
  for (int j = 0; j < K; ++j) {
    Pack d = b[j][j] + mass;
    for (int k = 0; k < j; ++k) d -= l[j][k] * l[j][k];
    for (int lane = 0; lane < Pack::size; ++lane)
      if (!(d[lane] > 1e-8 * mass[lane])) bad |= 1u << lane, d.set(lane, 1.0);
    if (bad == 15u) return bad;
    l[j][j] = sqrt(d);
    const Pack inverse = 1.0 / l[j][j];
    for (int i = j + 1; i < K; ++i) {
      Pack s = b[i][j];
      for (int k = 0; k < j; ++k) s -= l[i][k] * l[j][k];
      l[i][j] = s * inverse;
    }
  }
  return bad;
}

/// Moves one lane of b towards the nearest matrix whose sum with mass * 1 is positive definite: all the way for
/// strength 1.
template <int K>
void filter_lane(Pack (&b)[K][K], double mass, double strength, int lane) {
  Eigen::Matrix<double, K, K> m;
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < K; ++j) m(i, j) = b[i][j][lane];
  if (!m.allFinite()) return;  // an element that does not exist here; the line search steps back from it
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, K, K>> eigen(m);
  Eigen::Matrix<double, K, 1> values = eigen.eigenvalues();
  for (int i = 0; i < K; ++i) values[i] += strength * std::max(0.0, -(1.0 - 1e-3) * mass - values[i]);
  m = eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < K; ++j) b[i][j].set(lane, m(i, j));
}

}  // namespace verve
