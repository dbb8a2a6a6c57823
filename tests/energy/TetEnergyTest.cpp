#include "energy/TetEnergy.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "FiniteDifference.h"

namespace verve {
namespace {

const std::vector<std::array<int, 4>> tets = {
    {0, 1, 2, 3}, {1, 2, 3, 4}, {2, 4, 3, 5}, {5, 4, 3, 6}, {0, 2, 1, 7}};

Vector rest_shape() {
  Vector rest(24);
  rest << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1.1, 1, 0.9, 0.2, 1.3, 1.1, 0.6, 0.8, 2, .4, .3, -1.2;
  return rest;
}

std::vector<std::array<int, 4>> positive(const Vector& rest) {
  auto result = tets;
  for (auto& t : result) {
    Mat3 e;
    for (int a = 0; a < 3; ++a) e.col(a) = point(rest, t[a + 1]) - point(rest, t[0]);
    if (e.determinant() < 0) std::swap(t[2], t[3]);
  }
  return result;
}

std::unique_ptr<Energy> make(TetModel model, int parts = 1) {
  TetMaterial material{model, {}, {}, {}};
  for (std::size_t i = 0; i < tets.size(); ++i) {
    material.mu.push_back(1.0 + 0.3 * i);
    material.lambda.push_back(2.0 - 0.2 * i);
    material.density.push_back(1.0 + i);
  }
  const Vector rest = rest_shape();
  return make_tet_energy(rest, positive(rest), material, partition_points(rest, parts));
}

Vector moved(unsigned seed, double size) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-size, size);
  Vector x = rest_shape();
  for (double& c : x) c += u(random);
  return x;
}

class EveryTetModel : public testing::TestWithParam<TetModel> {};

TEST_P(EveryTetModel, DerivativesMatchFiniteDifferences) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    test::check_derivatives(*make(GetParam()), {{}, {{1.0, 1.0}}}, moved(seed, 0.15));
    test::check_derivatives(*make(GetParam(), 3), {moved(seed + 9, 0.1), {{0.5, 0.7}, {1.0, 0.1}}},
                            moved(seed, 0.1));
    test::check_derivatives(*make(GetParam(), 2), {moved(seed + 9, 0.1), {{0.2, 0.7}, {0.8, 0.4}}},
                            moved(seed, 0.1));
  }
}

TEST_P(EveryTetModel, DerivativesGoOnThroughInversion) {
  for (double squeeze : {0.15, 0.05, -0.05, -0.5}) {
    Vector x = moved(2, 0.02);
    for (Eigen::Index i = 0; i < x.size(); i += 3) x[i] *= squeeze;
    test::check_derivatives(*make(GetParam()), {{}, {{1.0, 1.0}}}, x);
  }
}

TEST_P(EveryTetModel, RestShapeHasNoEnergyAndNoForce) {
  Vector gradient = Vector::Zero(24);
  EXPECT_NEAR(make(GetParam())->at(rest_shape(), &gradient), 0.0, 1e-14);
  EXPECT_LT(gradient.norm(), 1e-14);
}

TEST_P(EveryTetModel, SmallStrainsFollowHookesLaw) {
  // One tet under a small strain e: w = mu e:e + lambda/2 tr^2 e up to third order in e.
  Vector rest(12);
  rest << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  for (double lambda : {5.0, 0.7}) {
    const auto energy =
        make_tet_energy(rest, {{0, 1, 2, 3}}, {GetParam(), {3.0}, {lambda}, {1.0}}, {{0, 0, 0, 0}, 1});
    Mat3 strain;
    strain << 1, .3, -.2, .3, -.5, .4, -.2, .4, .7;
    const double size = 1e-4;
    Vector x = rest;
    for (int i = 0; i < 4; ++i) point(x, i) += size * strain * point(rest, i);
    const double hooke =
        (3.0 * strain.squaredNorm() + 0.5 * lambda * strain.trace() * strain.trace()) * size * size / 6.0;
    EXPECT_NEAR(energy->at(x), hooke, 10 * size * hooke);
  }
}

TEST_P(EveryTetModel, SwellingCostsEverMoreWhateverLambda) {
  Vector rest(12);
  rest << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  for (double lambda : {0.0, 0.5, 1.4, 1.6, 3.0, 30.0}) {
    const auto energy =
        make_tet_energy(rest, {{0, 1, 2, 3}}, {GetParam(), {3.0}, {lambda}, {1.0}}, {{0, 0, 0, 0}, 1});
    double before = 0.0;
    for (double size = 1.1; size < 1e4; size *= 1.2) {
      const double now = energy->at(size * rest);
      EXPECT_GT(now, before) << "lambda " << lambda << ", size " << size;
      before = now;
    }
  }
}

TEST_P(EveryTetModel, FilteredHessianIsDefiniteWithTheMassAndOtherwiseUntouched) {
  const auto energy = make(GetParam());
  const auto pattern = test::attach_pattern(*energy, 8);
  // Squeezed to a third: StVK is deeply indefinite here, the others at least along some directions.
  Vector x = moved(4, 0.1);
  for (int i = 0; i < 8; ++i) x[3 * i] *= 0.35;
  BlockMatrix exact(pattern), filtered(pattern);
  const Chord end{{}, {{1.0, 10.0}}};
  energy->add_hessian(end, x, 0.0, exact);
  energy->add_hessian(end, x, 1.0, filtered);
  // The elements' masses are shared out over their points; the sum over elements is the lumped mass.
  const Vector rest = rest_shape();
  Vector mass = Vector::Zero(24);
  const auto oriented = positive(rest);
  for (std::size_t t = 0; t < oriented.size(); ++t) {
    Mat3 e;
    for (int a = 0; a < 3; ++a) e.col(a) = point(rest, oriented[t][a + 1]) - point(rest, oriented[t][0]);
    for (int p : oriented[t]) point(mass, p).array() += (1.0 + double(t)) * e.determinant() / 24;
  }
  const auto smallest = [&](const BlockMatrix& m) {
    Eigen::MatrixXd h = test::dense(m);
    h.diagonal() += mass;
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(h).eigenvalues().minCoeff();
  };
  EXPECT_LT(smallest(exact), 0.0) << "the scene must be hard enough for the filter to matter";
  EXPECT_GT(smallest(filtered), 0.0);
  // Near rest the exact Hessian is definite element by element, and must come through unchanged.
  BlockMatrix plain(pattern), kept(pattern);
  energy->add_hessian(end, moved(5, 0.01), 0.0, plain);
  energy->add_hessian(end, moved(5, 0.01), 1.0, kept);
  EXPECT_EQ(plain.values, kept.values);
}

TEST_P(EveryTetModel, CorrectionClosesTheBalanceOfEachChord) {
  const auto energy = make(GetParam());
  const Chord chord{moved(1, 0.12), {{0.5, 1.0}}};  // midpoint: exact for no material here
  const Vector x = moved(2, 0.12);
  const double change = energy->at(x) - energy->at(chord.x0);
  Vector plain = Vector::Zero(24), corrected = plain;
  energy->evaluate(chord, x, &plain);
  EXPECT_TRUE(energy->update_correction(chord, x));
  energy->evaluate(chord, x, &corrected);
  const Vector dx = x - chord.x0;
  EXPECT_GT(std::abs(plain.dot(dx) / chord.force_weight() - change), 1e-4 * std::abs(change));
  EXPECT_NEAR(corrected.dot(dx) / chord.force_weight(), change, 1e-13 * (1 + std::abs(change)));
  EXPECT_EQ(energy->at(x) - energy->at(chord.x0), change) << "a lone state has no path to correct";
  energy->clear_correction();
  Vector again = Vector::Zero(24);
  energy->evaluate(chord, x, &again);
  EXPECT_EQ(again, plain);
}

TEST_P(EveryTetModel, PartsGiveTheSameBits) {
  const Vector x = moved(1, 0.1);
  const Chord chord{moved(2, 0.1), {{0.5, 0.7}, {1.0, 0.1}}};
  const auto one = make(GetParam(), 1);
  const auto pattern = test::attach_pattern(*one, 8);
  Vector g1 = Vector::Zero(24);
  BlockMatrix h1(pattern);
  one->evaluate(chord, x, &g1);
  one->add_hessian(chord, x, 1.0, h1);
  for (int parts : {2, 3, 8}) {
    const auto many = make(GetParam(), parts);
    many->attach(*pattern);
    Vector g = Vector::Zero(24);
    BlockMatrix h(pattern);
    many->evaluate(chord, x, &g);
    many->add_hessian(chord, x, 1.0, h);
    EXPECT_EQ(g, g1);
    EXPECT_EQ(h.values, h1.values);
  }
}

std::string model_name(const testing::TestParamInfo<TetModel>& info) {
  return std::array<const char*, 4>{"StVK", "NeoHookean", "StableNeoHookean",
                                    "MooneyRivlin"}[int(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Models, EveryTetModel,
                         testing::Values(TetModel::stvk, TetModel::neo_hookean, TetModel::stable_neo_hookean,
                                         TetModel::mooney_rivlin),
                         model_name);

TEST(TetEnergy, InvertedTetsAreCountedAndPushedBack) {
  Vector x = rest_shape();
  point(x, 7) = Vec3(.4, .3, 1.2);  // tet 4 turned over
  EXPECT_EQ(make(TetModel::stvk)->inverted(x), 1);
  EXPECT_EQ(make(TetModel::stvk)->inverted(rest_shape()), 0);
  for (TetModel model : {TetModel::neo_hookean, TetModel::mooney_rivlin, TetModel::stable_neo_hookean}) {
    const auto energy = make(model);
    Vector force = Vector::Zero(24);
    EXPECT_TRUE(std::isfinite(energy->at(x, &force)));
    EXPECT_LT(force.dot(rest_shape() - x), 0.0);  // less energy on the way to rest
  }
}

TEST(TetEnergy, SimpsonIntegratesTheForceOfStVKExactly) {
  const auto energy = make(TetModel::stvk);
  const Chord chord{moved(1, 0.4), {{0.5, 4.0 / 3}, {1.0, 1.0 / 6}}, 1.0 / 6, true};
  const Vector x = moved(2, 0.4), dx = x - chord.x0;
  Vector force = Vector::Zero(24), start = force;
  energy->evaluate(chord, x, &force);
  energy->at(chord.x0, &start);
  const double change = energy->at(x) - energy->at(chord.x0);
  EXPECT_NEAR((force + start / 6).dot(dx), change, 1e-13 * std::abs(change) + 1e-14);
}

}  // namespace
}  // namespace verve
