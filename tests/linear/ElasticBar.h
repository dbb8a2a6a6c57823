// A bar of linear elastic tets, clamped at one end: the matrix of an implicit step, for tests and benchmarks.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <memory>
#include <vector>

#include "linear/BlockMatrix.h"

namespace verve {

/// M + h^2 K of a bar of nx x ny x nz cubic cells of 6 tets, rest length of a cell `cell`.
struct ElasticBar {
  std::shared_ptr<const BlockPattern> pattern;
  BlockMatrix matrix;
  Vector positions;
  int tets = 0;
};

struct ElasticBarOptions {
  double cell = 0.02;  ///< m
  double young = 5e5;  ///< Pa
  double poisson = 0.35;
  double density = 1000;   ///< kg/m^3
  double step = 1.0 / 30;  ///< s
  double bend = 0.0;       ///< curvature, rad/m: the positions (and element frames) are bent by it
  bool clamped = true;     ///< the points at x = 0 are pinned
};

inline ElasticBar make_elastic_bar(int nx, int ny, int nz, const ElasticBarOptions& o = {}) {
  const int points = (nx + 1) * (ny + 1) * (nz + 1);
  const auto id = [&](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
  ElasticBar bar;
  bar.positions.resize(3 * points);
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k) {
        const double x = o.cell * i, y = o.cell * j, z = o.cell * k, angle = o.bend * x;
        const double radius = o.bend == 0 ? 0 : 1 / o.bend;
        point(bar.positions, id(i, j, k)) =
            o.bend == 0 ? Vec3(x, y, z)
                        : Vec3((radius - y) * std::sin(angle), radius - (radius - y) * std::cos(angle), z);
      }
  // The six tets around a cell's diagonal: one for each order in which the axes are walked (Kuhn).
  std::vector<std::array<int, 4>> tets;
  const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        for (const auto& walk : axes) {
          std::array<int, 3> at{i, j, k};
          std::array<int, 4> tet;
          for (int corner = 0; corner < 4; ++corner) {
            tet[corner] = id(at[0], at[1], at[2]);
            if (corner < 3) ++at[walk[corner]];
          }
          tets.push_back(tet);
        }
  std::vector<std::array<int, 2>> pairs;
  for (const auto& tet : tets)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) pairs.push_back({tet[a], tet[b]});
  bar.tets = int(tets.size());
  bar.pattern = std::make_shared<BlockPattern>(make_block_pattern(points, pairs));
  bar.matrix = BlockMatrix(bar.pattern);

  const double lambda = o.young * o.poisson / ((1 + o.poisson) * (1 - 2 * o.poisson));
  const double mu = o.young / (2 * (1 + o.poisson));
  for (const auto& tet : tets) {
    Mat3 edges;
    for (int a = 0; a < 3; ++a)
      edges.col(a) = point(bar.positions, tet[a + 1]) - point(bar.positions, tet[0]);
    const double volume = std::abs(edges.determinant()) / 6;
    Eigen::Matrix<double, 3, 4> gradient;
    gradient.rightCols<3>() = edges.inverse().transpose();
    gradient.col(0) = -gradient.rightCols<3>().rowwise().sum();
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const Vec3 ga = gradient.col(a), gb = gradient.col(b);
        Mat3 block =
            o.step * o.step * volume *
            (lambda * ga * gb.transpose() + mu * gb * ga.transpose() + mu * ga.dot(gb) * Mat3::Identity());
        if (a == b) block += o.density * volume / 4 * Mat3::Identity();
        double* to = &bar.matrix.values[9 * std::size_t(bar.pattern->find(tet[a], tet[b]))];
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) to[3 * r + c] += block(r, c);
      }
  }
  for (int i = 0; o.clamped && i < (ny + 1) * (nz + 1); ++i)
    for (int k = bar.pattern->row_start[i]; k < bar.pattern->row_start[i + 1]; ++k) {
      const int j = bar.pattern->column[k];
      if (j == i) continue;
      std::fill_n(&bar.matrix.values[9 * std::size_t(k)], 9, 0.0);
      std::fill_n(&bar.matrix.values[9 * std::size_t(bar.pattern->find(j, i))], 9, 0.0);
    }
  return bar;
}

}  // namespace verve
