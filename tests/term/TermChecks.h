// Finite-difference checks that every term goes through.
#pragma once

#include <Eigen/Eigenvalues>

#include "FiniteDifference.h"
#include "system/Term.h"

namespace verve::test {

/// Compares the gradient and the exact Hessian of what a term adds along `chord`, begun before, with central
/// differences. See check_derivatives(); 1e-6 leaves room for the curvature of gases and of drag near zero
/// speed.
inline void check_term(Term& term, const Chord& chord, const Vector& x) {
  std::vector<std::array<int, 2>> pairs;
  term.append_pairs(pairs);
  const auto pattern = std::make_shared<const BlockPattern>(make_block_pattern(int(x.size() / 3), pairs));
  term.attach(*pattern);
  Vector gradient = Vector::Zero(x.size());
  term.evaluate(chord, x, &gradient);
  BlockMatrix hessian(pattern);
  term.add_hessian(chord, x, 0.0, hessian);
  Eigen::MatrixXd h = dense(hessian);
  for (int k = 0; k < hessian.dyad_count; ++k) {
    Vector u = Vector::Zero(x.size());
    hessian.dyads[std::size_t(k)].add(1.0, u);
    h += u * u.transpose();
  }
  EXPECT_LT((h - h.transpose()).norm(), 1e-12 * h.norm());
  const double d = 1e-5;
  Vector difference(x.size());
  Eigen::MatrixXd slopes(x.size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Vector forward = x, back = x;
    forward[i] += d, back[i] -= d;
    Vector gf = Vector::Zero(x.size()), gb = gf;
    difference[i] = (term.evaluate(chord, forward, &gf) - term.evaluate(chord, back, &gb)) / (2 * d);
    slopes.col(i) = (gf - gb) / (2 * d);
  }
  EXPECT_LT((gradient - difference).norm(), 1e-6 * gradient.norm()) << "gradient";
  EXPECT_LT((h - slopes).norm(), 1e-6 * h.norm()) << "Hessian";

  hessian.clear();
  term.add_hessian(chord, x, 1.0, hessian);
  Eigen::MatrixXd definite = dense(hessian);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(definite, Eigen::EigenvaluesOnly);
  EXPECT_GE(eigen.eigenvalues().minCoeff(), -1e-10 * h.norm())
      << "filtered, it must be positive semi-definite";
}

/// The chords of every kind of scheme from x0 over h seconds.
inline std::vector<Chord> chords_from(const Vector& x0, double h) {
  Chord simpson{x0, {{0.5, h * h / 3.0}, {1.0, h * h / 12.0}}, 1.0 / 6.0, true};
  Chord trapezoid{x0, {{1.0, 0.25 * h * h}}, 0.5, false};
  Chord end{x0, {{1.0, h * h}}, 0.0, false};
  Chord middle{x0, {{0.5, h * h}}, 0.0, false};
  return {simpson, trapezoid, end, middle};
}

}  // namespace verve::test
