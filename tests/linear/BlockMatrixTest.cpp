#include "linear/BlockMatrix.h"

#include <gtest/gtest.h>

namespace verve {
namespace {

TEST(BlockMatrix, PatternHasBothTrianglesSortedAndTheDiagonal) {
  const BlockPattern p = make_block_pattern(4, {{2, 0}, {0, 2}, {1, 3}, {3, 3}});
  EXPECT_EQ(p.row_start, (std::vector<int>{0, 2, 4, 6, 8}));
  EXPECT_EQ(p.column, (std::vector<int>{0, 2, 1, 3, 0, 2, 1, 3}));
  EXPECT_EQ(p.diagonal, (std::vector<int>{0, 2, 5, 7}));
  EXPECT_EQ(p.find(2, 0), 4);
  EXPECT_EQ(p.find(0, 1), -1);
}

TEST(BlockMatrix, MultipliesAsItsDenseForm) {
  BlockMatrix a(std::make_shared<BlockPattern>(make_block_pattern(5, {{0, 4}, {1, 2}, {2, 3}, {0, 1}})));
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] = std::sin(double(i + 1));
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(15, 15);
  for (int i = 0; i < 5; ++i)
    for (int k = a.pattern->row_start[i]; k < a.pattern->row_start[i + 1]; ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          dense(3 * i + r, 3 * a.pattern->column[k] + c) = a.values[9 * k + 3 * r + c];
  const Vector x = Vector::LinSpaced(15, -1, 2);
  Vector y;
  a.multiply(x, y);
  EXPECT_LT((y - dense * x).norm(), 1e-14);
}

}  // namespace
}  // namespace verve
