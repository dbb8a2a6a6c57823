#include "linear/Matrices.h"

#include <random>

namespace verve {
namespace {

using Pairs = std::vector<std::array<int, 2>>;

SharedPattern share(int points, const Pairs& pairs) {
  return std::make_shared<BlockPattern>(make_block_pattern(points, pairs));
}

}  // namespace

SharedPattern grid_pattern(int nx, int ny, int nz) {
  const auto id = [&](int i, int j, int k) { return (i * ny + j) * nz + k; };
  Pairs pairs;
  // The Kuhn subdivision joins each point to the seven with coordinates up to one larger.
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        for (int step = 1; step < 8; ++step) {
          const int a = i + (step & 1), b = j + (step >> 1 & 1), c = k + (step >> 2 & 1);
          if (a < nx && b < ny && c < nz) pairs.push_back({id(i, j, k), id(a, b, c)});
        }
  return share(nx * ny * nz, pairs);
}

std::vector<std::pair<std::string, SharedPattern>> patterns() {
  Pairs chain, dense, pieces, star;
  for (int i = 0; i + 1 < 200; ++i) chain.push_back({i, i + 1});
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < i; ++j) dense.push_back({i, j});
  // Triangles 3k, 3k+1, 3k+2 on their own; points from 90 on without neighbours.
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 3; ++j) pieces.push_back({3 * i + j, 3 * i + (j + 1) % 3});
  for (int i = 1; i < 60; ++i) star.push_back({0, i});
  return {{"single point", share(1, {})},
          {"two points", share(2, {{0, 1}})},
          {"points without neighbours", share(7, {})},
          {"chain", share(200, chain)},
          {"dense", share(40, dense)},
          {"pieces and lonely points", share(100, pieces)},
          {"star", share(60, star)},
          {"sheet", grid_pattern(12, 12, 1)},
          {"block", grid_pattern(7, 6, 5)}};
}

BlockMatrix random_definite(const SharedPattern& pattern, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  BlockMatrix a(pattern);
  const BlockPattern& p = *pattern;
  for (int i = 0; i < p.rows(); ++i)
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k) {
      const int j = p.column[k];
      if (j > i) continue;
      const int mirror = p.find(j, i);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < (j == i ? r + 1 : 3); ++c)
          a.values[9 * k + 3 * r + c] = a.values[9 * mirror + 3 * c + r] = uniform(random);
    }
  for (int i = 0; i < p.rows(); ++i)
    for (int r = 0; r < 3; ++r) {
      double sum = 0.1;
      for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
        for (int c = 0; c < 3; ++c)
          if (k != p.diagonal[i] || c != r) sum += std::abs(a.values[9 * k + 3 * r + c]);
      a.values[9 * p.diagonal[i] + 4 * r] = sum;
    }
  return a;
}

Vector random_vector(int size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Vector::NullaryExpr(size, [&] { return uniform(random); });
}

Eigen::MatrixXd to_dense(const BlockMatrix& a) {
  const BlockPattern& p = *a.pattern;
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(3 * p.rows(), 3 * p.rows());
  for (int i = 0; i < p.rows(); ++i)
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) m(3 * i + r, 3 * p.column[k] + c) = a.values[9 * k + 3 * r + c];
  return m;
}

}  // namespace verve
