#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "FiniteDifference.h"
#include "Systems.h"

namespace verve {
namespace {

using test::Case;

Vector bent(const Vector& rest, double amount) {
  Vector x = rest;
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] += amount * std::sin(3.0 * double(i) + amount);
  return x;
}

void check(const Case& c) {
  const Energy& energy = *c.system.elastic[0];
  const Vector from = bent(c.rest, 0.03), x = bent(c.rest, 0.05);
  Vector multiplier(c.system.points());
  for (int i = 0; i < c.system.points(); ++i) multiplier[i] = 0.5 + 0.1 * i;
  const double d = 1e-5;  // central differences: see FiniteDifference.h for the tolerances
  Vector gradient = Vector::Zero(x.size()), slope(x.size());
  energy.strain_change(from, x, 0.7, multiplier, &gradient);
  BlockMatrix hessian(c.system.pattern), gauss_newton(c.system.pattern);
  energy.add_strain_change_hessian(from, x, 0.7, multiplier, 0.0, hessian);
  energy.add_strain_change_hessian(from, x, 0.7, multiplier, 1.0, gauss_newton);
  const Eigen::MatrixXd h = test::dense(hessian);
  Eigen::MatrixXd slopes(x.size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Vector forward = x, back = x, gf = Vector::Zero(x.size()), gb = gf;
    forward[i] += d, back[i] -= d;
    slope[i] = (energy.strain_change(from, forward, 0.7, multiplier, &gf) -
                energy.strain_change(from, back, 0.7, multiplier, &gb)) /
               (2 * d);
    slopes.col(i) = (gf - gb) / (2 * d);
  }
  EXPECT_LT((gradient - slope).norm(), 1e-7 * gradient.norm());
  EXPECT_LT((h - slopes).norm(), 1e-7 * h.norm());
  const auto eigenvalues =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(test::dense(gauss_newton)).eigenvalues();
  EXPECT_GT(eigenvalues.minCoeff(), -1e-12 * eigenvalues.maxCoeff());
}

TEST(StrainChange, DerivativesOfTets) {
  check(test::make_bar(400, 100, {1, .5, .5}, {2, 1, 1}));
}
TEST(StrainChange, DerivativesOfSprings) {
  check(test::make_sheet_of_springs(20, 5, {2, 2}));
}

void check_rigid(const Case& c) {
  const Vector x = bent(c.rest, 0.05);
  BlockMatrix matrix(c.system.pattern);
  c.system.elastic[0]->add_strain_change_hessian(x, x, 1.0, {}, 1.0, matrix);
  Vector spin(x.size()), force;
  const Vec3 w(0.3, -0.7, 0.5);
  for (int i = 0; i < c.system.points(); ++i) point(spin, i) = w.cross(Vec3(point(x, i))) + Vec3(1, 2, 3);
  const double size = test::dense(matrix).norm();
  matrix.multiply(spin, force);
  EXPECT_LT(force.norm(), 1e-14 * size * spin.norm());
  const Vector squeeze = bent(Vector::Zero(x.size()), 0.1);
  matrix.multiply(squeeze, force);
  EXPECT_GT(force.norm(), 1e-3 * size * squeeze.norm());
}

TEST(StrainChange, RigidMotionOfTetsIsFree) {
  check_rigid(test::make_bar(400, 100, {1, .5, .5}, {2, 1, 1}, TetModel::stable_neo_hookean));
}
TEST(StrainChange, RigidMotionOfSpringsIsFree) {
  check_rigid(test::make_sheet_of_springs(20, 5, {2, 2}));
}

}  // namespace
}  // namespace verve
