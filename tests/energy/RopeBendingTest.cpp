// How ropes resist bending: derivatives, energy along chords, and the energy of a circle.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "FiniteDifference.h"
#include "energy/SpringEnergy.h"

namespace verve {
namespace {

constexpr int points = 6;

/// A rope of uneven sides, straight or bent at rest.
struct Rope {
  Vector rest = Vector::Zero(3 * points);
  std::vector<std::array<int, 3>> corners;
  RopeMaterial material;

  explicit Rope(bool bent) {
    for (int i = 0; i < points; ++i)
      point(rest, i) = Vec3(i + 0.05 * i * i, bent ? 0.3 * i * i : 0.0, bent && i > 2 ? 0.2 * i : 0.0);
    for (int i = 1; i + 1 < points; ++i) {
      const Vec3 before = point(rest, i) - point(rest, i - 1), after = point(rest, i + 1) - point(rest, i);
      corners.push_back({i - 1, i, i + 1});
      material.rigidity.push_back(0.5 + 0.1 * i);
      material.sides.insert(material.sides.end(), {before.norm(), after.norm()});
      material.angle.push_back(bent ? (after.normalized() - before.normalized()).norm() : 0.0);
    }
  }
  std::unique_ptr<Energy> energy(int parts = 1) const {
    return make_rope_bending(corners, material, partition_points(rest, parts));
  }
  Vector shape(double seed) const {
    Vector x = rest;
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] += 0.15 * std::sin(seed * double(i + 1));
    return x;
  }
};

class EveryRope : public testing::TestWithParam<bool> {
 protected:
  Rope rope{GetParam()};
};

TEST_P(EveryRope, DerivativesMatchFiniteDifferences) {
  for (double seed : {1.0, 2.0, 3.0})
    for (int parts : {1, 3}) {
      test::check_derivatives(*rope.energy(parts), {{}, {{1.0, 1.0}}}, rope.shape(seed));
      test::check_derivatives(*rope.energy(parts), {rope.shape(seed + 7), {{0.5, 0.7}, {1.0, 0.1}}},
                              rope.shape(seed));
    }
}

TEST_P(EveryRope, KeepsTheEnergyAlongChords) {
  const auto energy = rope.energy();
  EXPECT_EQ(energy->quartic(), !GetParam());
  for (double seed : {1.0, 2.0, 3.0}) {
    const Chord chord{rope.shape(seed + 7), {{0.5, 2.0 / 3.0}, {1.0, 1.0 / 12.0}}, 1.0 / 6.0, true};
    const Vector x = rope.shape(seed);
    if (!energy->quartic()) energy->update_correction(chord, x);
    Vector force = Vector::Zero(x.size()), start = force;
    energy->evaluate(chord, x, &force);
    energy->clear_correction();
    energy->at(chord.x0, &start);
    force = force / chord.average_weight() + chord.start_share * start;
    const double before = energy->at(chord.x0), after = energy->at(x);
    EXPECT_NEAR(force.dot(x - chord.x0), after - before, 1e-12 * (before + after));
  }
}

TEST_P(EveryRope, HasNoForceAtRestAndNoneOfRigidMotion) {
  const auto energy = rope.energy();
  Vector moved = rope.rest, force = Vector::Zero(moved.size()), scale = force;
  const Mat3 turn = Eigen::AngleAxisd(1.3, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  for (int i = 0; i < points; ++i) point(moved, i) = turn * point(rope.rest, i) + Vec3(3, -1, 2);
  energy->at(rope.shape(1.0), &scale);
  EXPECT_LT(energy->at(moved, &force), 1e-12 * energy->at(rope.shape(1.0)));
  EXPECT_LT(force.norm(), 1e-12 * scale.norm());
  // Nor does damping slow it.
  Vector slowed = Vector::Zero(moved.size());
  const Vector from = rope.shape(1.0);
  for (int i = 0; i < points; ++i) point(moved, i) = turn * point(from, i);
  energy->strain_change(from, moved, 1.0, Vector(), &slowed);
  EXPECT_LT(slowed.norm(), 1e-12 * scale.norm());
}

TEST_P(EveryRope, FilteredHessianIsSemidefinite) {
  const auto energy = rope.energy();
  const auto pattern = test::attach_pattern(*energy, points);
  BlockMatrix filtered(pattern);
  energy->add_hessian({{}, {{1.0, 1.0}}}, 0.6 * rope.shape(1.0), 1.0, filtered);
  const Eigen::MatrixXd h = test::dense(filtered);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(h).eigenvalues().minCoeff(), -1e-12 * h.norm());
}

TEST_P(EveryRope, ElementsAddUpToTheWhole) {
  const auto energy = rope.energy(2);
  const Vector x = rope.shape(2.0);
  Vector whole = Vector::Zero(x.size()), sum = whole;
  energy->at(x, &whole);
  ASSERT_EQ(energy->elements(), points - 2);
  for (int e = 0; e < energy->elements(); ++e) {
    int of[Energy::max_stencil];
    const int size = energy->stencil(e, of), lanes[4] = {e, e, e, e};
    Pack3 q[Energy::max_stencil] = {}, g[Energy::max_stencil];
    for (int a = 0; a < size; ++a)
      for (int k = 0; k < 3; ++k) q[a][k] = point(x, of[a])[k];
    energy->element_gradients(lanes, q, g);
    for (int a = 0; a < size; ++a) point(sum, of[a]) += Vec3(g[a][0][1], g[a][1][1], g[a][2][1]);
  }
  EXPECT_LT((sum - whole).norm(), 1e-12 * whole.norm());
}

INSTANTIATE_TEST_SUITE_P(Rests, EveryRope, testing::Bool(),
                         [](const auto& info) { return info.param ? "bent" : "straight"; });

// EI/2 k^2 by length, however many sides there are; half a degree of turn a corner leaves (k l)^2 / 12 of it.
TEST(RopeBending, CirclesHaveTheirCurvature) {
  for (int n : {40, 400}) {
    std::vector<std::array<int, 3>> corners;
    RopeMaterial material;
    const double radius = 0.5, side = 0.02;
    Vector x(3 * (n + 1));
    for (int i = 0; i <= n; ++i) {
      const double turn = i * 2.0 * std::asin(0.5 * side / radius);
      point(x, i) = radius * Vec3(std::cos(turn), std::sin(turn), 0);
      if (i == 0 || i == n) continue;
      corners.push_back({i - 1, i, i + 1});
      material.rigidity.push_back(3.0);
      material.sides.insert(material.sides.end(), {side, side});
      material.angle.push_back(0.0);
    }
    const auto energy = make_rope_bending(corners, material, partition_points(x, 1));
    const double wanted = 0.5 * 3.0 / (radius * radius) * side * double(corners.size());
    EXPECT_NEAR(energy->at(x), wanted, 1e-3 * wanted) << n;
  }
}

}  // namespace
}  // namespace verve
