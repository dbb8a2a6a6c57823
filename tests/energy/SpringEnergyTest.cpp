#include "energy/SpringEnergy.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "FiniteDifference.h"

namespace verve {
namespace {

const std::vector<std::array<int, 2>> springs = {{0, 1}, {1, 2}, {0, 2}, {3, 1}, {2, 3}, {3, 4}};

std::unique_ptr<Energy> make(SpringModel model, int parts) {
  SpringMaterial material{model, {}, {}, {}};
  for (std::size_t i = 0; i < springs.size(); ++i) {
    material.stiffness.push_back(2.0 + i);
    material.length.push_back(1.0 + 0.1 * i);
    material.mass.push_back(0.3);
  }
  return make_spring_energy(springs, material, partition_points(Vector::LinSpaced(15, 0, 1), parts));
}

Vector shape(double seed) {
  Vector x(15);
  x << 0, 0, 0, 1, 0, .1, .2, 1, 0, .9, 1.1, .3, 1.5, 1.2, 1.1;
  for (int i = 0; i < 15; ++i) x[i] += 0.2 * std::sin(seed * (i + 1));
  return x;
}

class EverySpring : public testing::TestWithParam<SpringModel> {};

TEST_P(EverySpring, DerivativesMatchFiniteDifferences) {
  for (double seed : {1.0, 2.0, 3.0})
    for (int parts : {1, 3}) {
      test::check_derivatives(*make(GetParam(), parts), {{}, {{1.0, 1.0}}}, shape(seed));
      test::check_derivatives(*make(GetParam(), parts), {shape(seed + 7), {{0.5, 0.7}, {1.0, 0.1}}},
                              shape(seed));
    }
}

TEST_P(EverySpring, FilteredHessianIsDefiniteWithTheMass) {
  const auto energy = make(GetParam(), 1);
  const auto pattern = test::attach_pattern(*energy, 5);
  const Vector x = 0.3 * shape(1.0);  // compressed: it wants to buckle sideways
  BlockMatrix exact(pattern), filtered(pattern);
  energy->add_hessian({{}, {{1.0, 1.0}}}, x, 0.0, exact);
  energy->add_hessian({{}, {{1.0, 1.0}}}, x, 1.0, filtered);
  Vector mass = Vector::Zero(15);
  for (const auto& s : springs)
    for (int end : s) point(mass, end).array() += 0.3;
  const auto smallest = [&](const BlockMatrix& m) {
    Eigen::MatrixXd h = test::dense(m);
    h.diagonal() += mass;
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(h).eigenvalues().minCoeff();
  };
  EXPECT_LT(smallest(exact), 0.0);
  EXPECT_GT(smallest(filtered), 0.0);
}

TEST_P(EverySpring, CorrectionClosesTheBalanceOfEachChord) {
  const auto energy = make(GetParam(), 2);
  const Chord chord{shape(1), {{0.5, 1.0}}};
  const Vector x = shape(2);
  const double change = energy->at(x) - energy->at(chord.x0);
  ASSERT_TRUE(energy->update_correction(chord, x));
  Vector gradient = Vector::Zero(15);
  energy->evaluate(chord, x, &gradient);
  EXPECT_NEAR(gradient.dot(x - chord.x0) / chord.force_weight(), change, 1e-13 * (1 + std::abs(change)));
}

INSTANTIATE_TEST_SUITE_P(Models, EverySpring, testing::Values(SpringModel::stvk, SpringModel::hookean),
                         [](const testing::TestParamInfo<SpringModel>& info) {
                           return info.param == SpringModel::stvk ? "StVK" : "Hookean";
                         });

TEST(SpringEnergy, EnergyIsTheOneOfThePaper) {
  Vector x(6);
  x << 0, 0, 0, 0, 3, 0;
  const Partition one{{0, 0}, 1};
  EXPECT_DOUBLE_EQ(make_spring_energy({{0, 1}}, {SpringModel::stvk, {10}, {2}, {1}}, one)->at(x), 5.0 * 25);
  EXPECT_DOUBLE_EQ(make_spring_energy({{0, 1}}, {SpringModel::hookean, {10}, {2}, {1}}, one)->at(x), 5.0);
}

TEST(SpringEnergy, MassIsSharedOutWithoutCountingAnyTwice) {
  const std::vector<double> mass = {1, 2, 3, 4, 5};
  const std::vector<double> share = spread_mass(springs, mass);
  std::vector<double> sum(5, 0.0);
  for (std::size_t i = 0; i < springs.size(); ++i)
    for (int end : springs[i]) sum[end] += share[i];
  for (int i = 0; i < 5; ++i) EXPECT_LE(sum[i], mass[i] * (1 + 1e-15));
}

}  // namespace
}  // namespace verve
