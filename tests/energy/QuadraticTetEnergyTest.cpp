#include "energy/QuadraticTetEnergy.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>
#include <random>

#include "FiniteDifference.h"
#include "mesh/MeshGeometry.h"
#include "mesh/QuadraticMesh.h"

namespace verve {
namespace {

TetMesh two_tets() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1.1, 1, 0.9}}, {{0, 1, 2, 3}, {1, 2, 3, 4}}};
}

Vector stacked(const std::vector<Vec3>& points) {
  Vector x(3 * Eigen::Index(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) point(x, int(i)) = points[i];
  return x;
}

Vector rest_shape() {
  return stacked(quadratic_mesh(two_tets()).shown.points);
}

std::unique_ptr<Energy> make(TetModel model, int parts = 1) {
  const Vector rest = rest_shape();
  return make_quadratic_tet_energy(rest, quadratic_mesh(two_tets()).elements,
                                   {model, {1.0, 1.3}, {2.0, 1.7}, {1, 2}}, partition_points(rest, parts));
}

Vector moved(unsigned seed, double size) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-size, size);
  Vector x = rest_shape();
  for (double& c : x) c += u(random);
  return x;
}

class EveryQuadraticModel : public testing::TestWithParam<TetModel> {};

TEST_P(EveryQuadraticModel, DerivativesMatchFiniteDifferences) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    test::check_derivatives(*make(GetParam()), {{}, {{1.0, 1.0}}}, moved(seed, 0.08));
    test::check_derivatives(*make(GetParam(), 3), {moved(seed + 9, 0.06), {{0.5, 0.7}, {1.0, 0.1}}},
                            moved(seed, 0.06));
  }
}

TEST_P(EveryQuadraticModel, DerivativesGoOnThroughInversion) {
  for (double squeeze : {0.15, -0.05, -0.5}) {
    Vector x = moved(2, 0.02);
    for (Eigen::Index i = 0; i < x.size(); i += 3) x[i] *= squeeze;
    test::check_derivatives(*make(GetParam()), {{}, {{1.0, 1.0}}}, x);
  }
}

TEST_P(EveryQuadraticModel, StrainChangeMatchesFiniteDifferences) {
  const auto energy = make(GetParam());
  const Vector from = moved(4, 0.05), x = moved(5, 0.05);
  const auto pattern = test::attach_pattern(*energy, int(x.size() / 3));
  Vector gradient = Vector::Zero(x.size());
  energy->strain_change(from, x, 0.7, {}, &gradient);
  BlockMatrix hessian(pattern);
  energy->add_strain_change_hessian(from, x, 0.7, {}, 0.0, hessian);
  const Eigen::MatrixXd h = test::dense(hessian);
  const double d = 1e-5;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Vector forward = x, back = x, gf = Vector::Zero(x.size()), gb = gf;
    forward[i] += d, back[i] -= d;
    const double slope = (energy->strain_change(from, forward, 0.7, {}, &gf) -
                          energy->strain_change(from, back, 0.7, {}, &gb)) /
                         (2 * d);
    EXPECT_NEAR(gradient[i], slope, 1e-7 * gradient.norm());
    EXPECT_LT((h.col(i) - (gf - gb) / (2 * d)).norm(), 1e-7 * h.norm());
  }
}

TEST_P(EveryQuadraticModel, RestAndRigidMotionAreFree) {
  const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  Vector x = rest_shape(), gradient = Vector::Zero(x.size());
  for (int i = 0; i < x.size() / 3; ++i) point(x, i) = turn * Vec3(point(x, i)) + Vec3(3, -1, 2);
  EXPECT_NEAR(make(GetParam())->at(x, &gradient), 0.0, 1e-13);
  EXPECT_LT(gradient.norm(), 1e-13);
}

TEST_P(EveryQuadraticModel, EvenStrainsCostWhatTheyCostLinearTets) {
  Mat3 f;
  f << 1.1, .1, -.05, .02, .95, .1, .1, -.1, 1.05;
  const TetMesh mesh = two_tets();
  const auto linear =
      make_tet_energy(stacked(mesh.points), mesh.tets, {GetParam(), {1.0, 1.3}, {2.0, 1.7}, {1, 2}},
                      partition_points(stacked(mesh.points), 1));
  Vector x = rest_shape(), corners = stacked(mesh.points);
  for (Vector* v : {&x, &corners})
    for (int i = 0; i < v->size() / 3; ++i) point(*v, i) = (f * Vec3(point(*v, i))).eval();
  EXPECT_NEAR(make(GetParam())->at(x), linear->at(corners), 1e-13);
}

TEST_P(EveryQuadraticModel, CorrectionClosesTheBalanceOfEachChord) {
  const auto energy = make(GetParam());
  const Chord chord{moved(1, 0.06), {{0.5, 1.0}}};
  const Vector x = moved(2, 0.06);
  const double change = energy->at(x) - energy->at(chord.x0);
  EXPECT_TRUE(energy->update_correction(chord, x));
  Vector force = Vector::Zero(x.size());
  energy->evaluate(chord, x, &force);
  EXPECT_NEAR(force.dot(x - chord.x0) / chord.force_weight(), change, 1e-13 * (1 + std::abs(change)));
}

TEST_P(EveryQuadraticModel, FilteredHessianIsSemiDefinite) {
  const auto energy = make(GetParam());
  const auto pattern = test::attach_pattern(*energy, int(rest_shape().size() / 3));
  Vector x = moved(4, 0.05);
  for (Eigen::Index i = 0; i < x.size(); i += 3) x[i] *= 0.35;
  const auto smallest = [&](double filter) {
    BlockMatrix h(pattern);
    energy->add_hessian({{}, {{1.0, 1.0}}}, x, filter, h);
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(test::dense(h)).eigenvalues().minCoeff();
  };
  EXPECT_LT(smallest(0.0), -1e-3) << "the scene must be hard enough for the filter to matter";
  EXPECT_GT(smallest(1.0), -1e-7);
}

TEST_P(EveryQuadraticModel, PartsGiveTheSameBits) {
  const Vector x = moved(1, 0.06);
  const Chord chord{moved(2, 0.06), {{0.5, 0.7}, {1.0, 0.1}}};
  const auto one = make(GetParam(), 1), many = make(GetParam(), 3);
  const auto pattern = test::attach_pattern(*one, int(x.size() / 3));
  many->attach(*pattern);
  Vector g1 = Vector::Zero(x.size()), g = g1;
  BlockMatrix h1(pattern), h(pattern);
  EXPECT_EQ(one->evaluate(chord, x, &g1), many->evaluate(chord, x, &g));
  one->add_hessian(chord, x, 1.0, h1);
  many->add_hessian(chord, x, 1.0, h);
  EXPECT_EQ(g, g1);
  EXPECT_EQ(h.values, h1.values);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryQuadraticModel,
                         testing::Values(TetModel::stvk, TetModel::neo_hookean, TetModel::stable_neo_hookean,
                                         TetModel::mooney_rivlin));

TEST(QuadraticTetEnergy, SimpsonIntegratesTheForceOfStVKExactly) {
  const auto energy = make(TetModel::stvk);
  const Chord chord{moved(1, 0.3), {{0.5, 4.0 / 3}, {1.0, 1.0 / 6}}, 1.0 / 6, true};
  const Vector x = moved(2, 0.3);
  Vector force = Vector::Zero(x.size()), start = force;
  energy->evaluate(chord, x, &force);
  energy->at(chord.x0, &start);
  const double change = energy->at(x) - energy->at(chord.x0);
  EXPECT_NEAR((force + start / 6).dot(x - chord.x0), change, 1e-13 * std::abs(change) + 1e-14);
}

TEST(QuadraticTetEnergy, OnlyRigidMotionsAreFreeNearRest) {
  const auto energy = make(TetModel::stvk);
  const auto pattern = test::attach_pattern(*energy, int(rest_shape().size() / 3));
  BlockMatrix h(pattern);
  energy->add_hessian({{}, {{1.0, 1.0}}}, rest_shape(), 0.0, h);
  const Vector values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(test::dense(h)).eigenvalues();
  EXPECT_NEAR(values[5], 0.0, 1e-13);
  EXPECT_GT(values[6], 1e-3);
}

TEST(QuadraticMesh, IsShownByEightTetsThatFillEachElement) {
  const QuadraticMesh mesh = quadratic_mesh(two_tets());
  EXPECT_EQ(mesh.shown.points.size(), 5u + 9u);  // nine edges, of which the common face has three
  ASSERT_EQ(mesh.shown.tets.size(), 16u);
  EXPECT_NEAR(volume(mesh.shown), volume(two_tets()), 1e-15);
  for (int t = 0; t < 16; ++t)
    EXPECT_NEAR(tet_volume(mesh.shown, t), tet_volume(two_tets(), t / 8) / 8, 1e-15);
}

}  // namespace
}  // namespace verve
