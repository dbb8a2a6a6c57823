#include "energy/Definite.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <limits>
#include <random>

namespace verve::test {
namespace {

template <int K>
using Square = Eigen::Matrix<double, K, K>;

template <int K>
Square<K> lane_of(const Pack (&b)[K][K], int lane) {
  Square<K> m;
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < K; ++j) m(i, j) = b[i][j][lane];
  return m;
}

/// What the filter is to give, one matrix at a time.
template <int K>
Square<K> filtered(const Square<K>& m, double mass, double strength) {
  const Eigen::SelfAdjointEigenSolver<Square<K>> eigen(m);
  Eigen::Matrix<double, K, 1> values = eigen.eigenvalues();
  for (int i = 0; i < K; ++i) values[i] += strength * std::max(0.0, -(1.0 - 1e-3) * mass - values[i]);
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

/// Symmetric matrices of sizes from 1e-6 to 1e6, some of low rank, some of them with values far apart.
template <int K>
void compare() {
  std::mt19937 random(11);
  std::normal_distribution<double> number;
  for (int round = 0; round < 500; ++round) {
    Pack b[K][K];
    for (int lane = 0; lane < Pack::size; ++lane) {
      Square<K> m = Square<K>::Zero();
      const int rank = 1 + round % K;
      for (int r = 0; r < rank; ++r) {
        Eigen::Matrix<double, K, 1> v;
        for (int i = 0; i < K; ++i) v[i] = number(random);
        m += std::exp(3 * number(random)) * (r % 3 == lane % 3 ? -1.0 : 1.0) * v * v.transpose();
      }
      m *= std::pow(10.0, round % 13 - 6);
      for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j) b[i][j].set(lane, m(i, j));
    }
    const double strength = round % 2 ? 1.0 : 0.4;
    const Pack mass = 1e-3 * b[0][0] * b[0][0] / (1.0 + abs(b[0][0]));
    const unsigned lanes = 1u + round % 15;
    Pack out[K][K];
    std::copy(&b[0][0], &b[0][0] + K * K, &out[0][0]);
    filter_lanes(out, mass, strength, lanes);
    for (int lane = 0; lane < Pack::size; ++lane) {
      const Square<K> before = lane_of(b, lane), after = lane_of(out, lane);
      if (lanes >> lane & 1)
        ASSERT_LT((after - filtered<K>(before, mass[lane], strength)).norm(), 1e-10 * before.norm()) << round;
      else
        ASSERT_EQ(after, before) << round;
    }
  }
}

TEST(Definite, FourAtOnceAreFilteredAsEachAlone) {
  compare<3>();
  compare<9>();
}

TEST(Definite, WhatBecomesOfALaneDoesNotHangOnItsNeighbours) {
  std::mt19937 random(13);
  std::normal_distribution<double> number;
  for (int round = 0; round < 100; ++round) {
    Pack b[9][9];
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j <= i; ++j)
        for (int lane = 0; lane < Pack::size; ++lane) {
          b[i][j].set(lane, (lane == 1 && j < i ? 1e-9 : 1.0) * number(random));  // one of them is done soon
          b[j][i] = b[i][j];
        }
    Pack together[9][9];
    std::copy(&b[0][0], &b[0][0] + 81, &together[0][0]);
    filter_lanes(together, Pack(0.1), 1.0, 15u);
    for (int lane = 0; lane < Pack::size; ++lane) {
      Pack alone[9][9];
      std::copy(&b[0][0], &b[0][0] + 81, &alone[0][0]);
      filter_lanes(alone, Pack(0.1), 1.0, 1u << lane);
      ASSERT_EQ(lane_of(alone, lane), lane_of(together, lane)) << round;
    }
  }
}

TEST(Definite, ALaneThatIsNotFiniteStaysAndSpoilsNoOther) {
  Pack b[3][3] = {};
  for (int i = 0; i < 3; ++i) b[i][i] = -1.0 - i;
  b[1][2].set(2, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(indefinite_lanes(b, Pack(0.5)), 15u);
  filter_lanes(b, Pack(0.5), 1.0, 15u);
  for (int lane : {0, 1, 3})
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(b[i][i][lane], -0.4995, 1e-14);
  EXPECT_EQ(b[0][0][2], -1.0);
}

}  // namespace
}  // namespace verve::test
