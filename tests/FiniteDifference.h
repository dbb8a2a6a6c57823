// Finite-difference checks that every energy, contact and constraint goes through.
#pragma once

#include <gtest/gtest.h>

#include "energy/Energy.h"

namespace verve::test {

inline Eigen::MatrixXd dense(const BlockMatrix& a) {
  const BlockPattern& p = *a.pattern;
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(3 * p.rows(), 3 * p.rows());
  for (int i = 0; i < p.rows(); ++i)
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          m(3 * i + r, 3 * p.column[k] + c) = a.values[9 * std::size_t(k) + 3 * r + c];
  return m;
}

inline std::shared_ptr<const BlockPattern> attach_pattern(Energy& energy, int points,
                                                          std::vector<std::array<int, 2>> pairs = {}) {
  energy.append_pairs(pairs);
  auto pattern = std::make_shared<const BlockPattern>(make_block_pattern(points, pairs));
  energy.attach(*pattern);
  return pattern;
}

/// Compares gradient and exact Hessian of `energy` along `chord` with central differences. A central
/// difference with step d is off by about d^2 times the third derivative and by round-off / d; with d = 1e-5
/// both stay near 1e-10 of the entries' scale, and 1e-7 leaves room for the derivatives' constants. `pairs`
/// are those that other energies couple.
inline void check_derivatives(Energy& energy, const Chord& chord, const Vector& x,
                              std::vector<std::array<int, 2>> pairs = {}) {
  const auto pattern = attach_pattern(energy, int(x.size() / 3), std::move(pairs));
  const double d = 1e-5;
  Vector gradient = Vector::Zero(x.size());
  energy.evaluate(chord, x, &gradient);
  BlockMatrix hessian(pattern);
  energy.add_hessian(chord, x, 0.0, hessian);
  const Eigen::MatrixXd h = dense(hessian);
  EXPECT_LT((h - h.transpose()).norm(), 1e-12 * h.norm());
  Vector difference(x.size());
  Eigen::MatrixXd slopes(x.size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Vector forward = x, back = x;
    forward[i] += d, back[i] -= d;
    Vector gf = Vector::Zero(x.size()), gb = gf;
    difference[i] = (energy.evaluate(chord, forward, &gf) - energy.evaluate(chord, back, &gb)) / (2 * d);
    slopes.col(i) = (gf - gb) / (2 * d);
  }
  EXPECT_LT((gradient - difference).norm(), 1e-7 * gradient.norm()) << "gradient";
  EXPECT_LT((h - slopes).norm(), 1e-7 * h.norm()) << "Hessian";
}

}  // namespace verve::test
