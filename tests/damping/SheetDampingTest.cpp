#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "FiniteDifference.h"
#include "Systems.h"
#include "base/Error.h"
#include "energy/BendingEnergy.h"
#include "energy/MembraneEnergy.h"
#include "scheme/MakeIntegrator.h"

namespace verve {
namespace {

using test::Case;

/// A sheet of 0.2 kg/m^2; with `dome` it is bent at rest.
Case make_sheet_case(std::array<double, 2> size, std::array<int, 2> cells, double stretch, double bend,
                     bool dome = false) {
  Case c;
  TriangleMesh mesh = make_sheet(size, cells);
  if (dome)
    for (Vec3& p : mesh.points) p[1] = -0.5 * p[0] * p[0] - 0.3 * p[2] * p[2];
  c.rest = c.state.x = test::stacked(mesh.points);
  SheetMaterial m;
  m.stretch = isotropic_law(stretch, 0.3);
  m.bend = isotropic_law(bend, 0.3);
  m.density = 0.2;
  const std::vector<SheetMaterial> material(mesh.triangles.size(), m);
  c.system.mass = Vector::Zero(c.rest.size());
  for (const auto& t : mesh.triangles) {
    const SheetFrame frame =
        sheet_frame({mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]}, Vec3::UnitX());
    for (int i : t) point(c.system.mass, i).array() += 0.2 * frame.area / 3.0;
  }
  const Partition partition = partition_points(c.rest, 1);
  c.system.elastic.push_back(make_membrane_energy(c.rest, mesh.triangles, material, partition));
  append_bending(c.rest, mesh.triangles, material, partition, c.system.elastic);
  test::finish(c);
  return c;
}

Vector bent(const Vector& rest, double amount) {
  Vector x = rest;
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] += amount * std::sin(3.0 * double(i) + amount);
  return x;
}

TEST(SheetStrainChange, DerivativesAndRigidMotion) {
  for (bool dome : {false, true}) {
    const Case c = make_sheet_case({1, 0.7}, {3, 2}, 30, 0.5, dome);
    for (const auto& energy : c.system.elastic) {
      const Vector from = bent(c.rest, 0.03), x = bent(c.rest, 0.05);
      Vector multiplier(c.system.points());
      for (int i = 0; i < c.system.points(); ++i) multiplier[i] = 0.5 + 0.1 * i;
      const double d = 1e-5;  // central differences: see FiniteDifference.h for the tolerances
      Vector gradient = Vector::Zero(x.size()), slope(x.size());
      energy->strain_change(from, x, 0.7, multiplier, &gradient);
      BlockMatrix hessian(c.system.pattern), filtered(c.system.pattern);
      energy->add_strain_change_hessian(from, x, 0.7, multiplier, 0.0, hessian);
      energy->add_strain_change_hessian(from, x, 0.7, multiplier, 1.0, filtered);
      const Eigen::MatrixXd h = test::dense(hessian);
      Eigen::MatrixXd slopes(x.size(), x.size());
      for (Eigen::Index i = 0; i < x.size(); ++i) {
        Vector forward = x, back = x, gf = Vector::Zero(x.size()), gb = gf;
        forward[i] += d, back[i] -= d;
        slope[i] = (energy->strain_change(from, forward, 0.7, multiplier, &gf) -
                    energy->strain_change(from, back, 0.7, multiplier, &gb)) /
                   (2 * d);
        slopes.col(i) = (gf - gb) / (2 * d);
      }
      EXPECT_LT((gradient - slope).norm(), 1e-7 * gradient.norm());
      EXPECT_LT((h - slopes).norm(), 1e-7 * h.norm());
      const Eigen::MatrixXd kept = test::dense(filtered);
      const auto eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(kept).eigenvalues();
      EXPECT_GT(eigenvalues.minCoeff(), -1e-12 * eigenvalues.maxCoeff());

      BlockMatrix matrix(c.system.pattern);
      energy->add_strain_change_hessian(x, x, 1.0, {}, 1.0, matrix);
      Vector spin(x.size()), force;
      for (int i = 0; i < c.system.points(); ++i)
        point(spin, i) = Vec3(0.3, -0.7, 0.5).cross(Vec3(point(x, i))) + Vec3(1, 2, 3);
      const double size = test::dense(matrix).norm();
      matrix.multiply(spin, force);
      EXPECT_LT(force.norm(), 1e-13 * size * spin.norm());
    }
  }
}

/// A strip held at one end that is let go bent, hardly stretched; the share of its energy after a second.
double strip_left(double delta, double bend_delta, int rate) {
  Case c = make_sheet_case({1, 0.2}, {10, 2}, 2000, 0.02);
  for (int i = 0; i < c.system.points(); ++i) {
    const double s = point(c.rest, i)[0] + 0.5, k = 0.6;
    point(c.state.x, i)[0] = std::sin(k * s) / k - 0.5;
    point(c.state.x, i)[1] = (1.0 - std::cos(k * s)) / k;
  }
  test::reopen(c);
  const auto pins = test::pin_where(c.rest, [](const Vec3& x) { return x[0] < -0.39; });
  IntegratorSettings settings;
  settings.damping.delta = delta;
  settings.damping.bend_delta = bend_delta;
  settings.newton.tolerance = 1e-9;
  const auto integrator = make_integrator(c.system, settings);
  EXPECT_TRUE(test::run(c, *integrator, rate, 1.0 / rate, pins));
  return c.total() / c.state.ledger.start_total;
}

TEST(BendDelta, IsTheSameAtEveryStep) {
  for (double delta : {0.002, 0.2, 20.0}) {
    const double fine = strip_left(0.002, delta, 240);
    for (int rate : {24, 60})
      EXPECT_NEAR(strip_left(0.002, delta, rate), fine, std::max(0.03 * fine, 0.001)) << delta << " " << rate;
  }
}

TEST(BendDelta, IsDeltaIfLeftOut) {
  EXPECT_DOUBLE_EQ(strip_left(0.02, -1.0, 24), strip_left(0.02, 0.02, 24));
}

TEST(BendDelta, BelongsToBlendAndSplit) {
  Case c = make_sheet_case({1, 0.2}, {4, 1}, 100, 0.01);
  IntegratorSettings settings;
  settings.damping.model = DampingModel::in_step;
  settings.damping.delta = 0.1;
  settings.damping.bend_delta = 0.2;
  EXPECT_THROW(make_integrator(c.system, settings), Error);
}

/// A cloth that swings down from two corners.
TEST(BendDelta, DampedClothSwingsAlikeAtEveryStep) {
  const auto left = [](double delta, double bend_delta, int rate) {
    Case c = make_sheet_case({1, 1}, {8, 8}, 200, 1e-3);
    c.system.gravity = {0, -9.81, 0};
    c.system.finish();
    test::reopen(c);
    const auto corners =
        test::pin_where(c.rest, [](const Vec3& x) { return x[0] < -0.499 && std::abs(x[2]) > 0.499; });
    IntegratorSettings settings;
    settings.damping.delta = delta;
    settings.damping.bend_delta = bend_delta;
    settings.newton.tolerance = 1e-8;
    const auto integrator = make_integrator(c.system, settings);
    EXPECT_TRUE(test::run(c, *integrator, rate, 1.0 / rate, corners));
    return 1.0 + (c.total() - c.state.ledger.start_total) / c.state.ledger.largest;
  };
  for (const auto& [delta, bend_delta] : {std::pair(0.02, 0.2), std::pair(2.0, 2.0)}) {
    const double fine = left(delta, bend_delta, 240);
    for (int rate : {24, 60}) EXPECT_NEAR(left(delta, bend_delta, rate), fine, 0.03 * fine) << rate;
  }
}

}  // namespace
}  // namespace verve
