// Matrices that the tests of the linear solvers share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "linear/BlockMatrix.h"

namespace verve {

using SharedPattern = std::shared_ptr<const BlockPattern>;

/// Chains, grids, pieces that do not touch, a single point, rows without neighbours, a dense matrix.
std::vector<std::pair<std::string, SharedPattern>> patterns();

/// The pattern of a grid of nx x ny x nz points with the edges of 6 tets a cell.
SharedPattern grid_pattern(int nx, int ny, int nz);

/// Random blocks, with a diagonal that makes the matrix positive definite (by Gershgorin).
BlockMatrix random_definite(const SharedPattern& pattern, unsigned seed);

Vector random_vector(int size, unsigned seed);

Eigen::MatrixXd to_dense(const BlockMatrix& a);

}  // namespace verve
