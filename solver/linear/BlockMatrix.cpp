#include "linear/BlockMatrix.h"

#include <algorithm>

#include "base/Parallel.h"

namespace verve {
namespace {

constexpr int rows_per_piece = 512;

void multiply_rows(const BlockMatrix& matrix, const Vector& x, Vector& y, int begin, int end) {
  const BlockPattern& p = *matrix.pattern;
  for (int i = begin; i < end; ++i) {
    double a = 0, b = 0, c = 0;
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k) {
      const double* m = &matrix.values[9 * std::size_t(k)];
      const double* u = &x[3 * Eigen::Index(p.column[k])];
      a += m[0] * u[0] + m[1] * u[1] + m[2] * u[2];
      b += m[3] * u[0] + m[4] * u[1] + m[5] * u[2];
      c += m[6] * u[0] + m[7] * u[1] + m[8] * u[2];
    }
    double* out = &y[3 * Eigen::Index(i)];
    out[0] = a, out[1] = b, out[2] = c;
  }
}

}  // namespace

int BlockPattern::find(int row, int col) const {
  const auto begin = column.begin() + row_start[row], end = column.begin() + row_start[row + 1];
  const auto it = std::lower_bound(begin, end, col);
  return it != end && *it == col ? int(it - column.begin()) : -1;
}

BlockPattern make_block_pattern(int points, const std::vector<std::array<int, 2>>& pairs) {
  std::vector<int> count(points + 1, 0);
  for (const auto& p : pairs)
    if (p[0] != p[1]) ++count[p[0]], ++count[p[1]];
  std::vector<std::size_t> start(points + 1, 0);
  for (int i = 0; i < points; ++i) start[i + 1] = start[i] + count[i] + 1;
  std::vector<int> neighbours(start[points]);
  std::vector<std::size_t> fill(start.begin(), start.end() - 1);
  for (int i = 0; i < points; ++i) neighbours[fill[i]++] = i;
  for (const auto& p : pairs)
    if (p[0] != p[1]) neighbours[fill[p[0]]++] = p[1], neighbours[fill[p[1]]++] = p[0];

  BlockPattern pattern;
  pattern.row_start.assign(1, 0);
  pattern.diagonal.resize(points);
  for (int i = 0; i < points; ++i) {
    const auto begin = neighbours.begin() + start[i];
    auto end = neighbours.begin() + start[i + 1];
    std::sort(begin, end);
    end = std::unique(begin, end);
    pattern.diagonal[i] = int(pattern.column.size() + (std::lower_bound(begin, end, i) - begin));
    pattern.column.insert(pattern.column.end(), begin, end);
    pattern.row_start.push_back(int(pattern.column.size()));
  }
  return pattern;
}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> p) : pattern(std::move(p)) {
  if (pattern) values.assign(9 * std::size_t(pattern->blocks()), 0.0);
}

void BlockMatrix::clear() {
  std::fill(values.begin(), values.end(), 0.0);
  dyad_count = 0;
}

Dyad& BlockMatrix::add_dyad(const std::vector<int>& points) {
  if (dyad_count == int(dyads.size())) dyads.emplace_back();
  Dyad& dyad = dyads[std::size_t(dyad_count++)];
  dyad.points = &points;
  dyad.u.setZero(3 * Eigen::Index(points.size()));
  return dyad;
}

double Dyad::dot(const Vector& x) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < points->size(); ++k) sum += point(u, int(k)).dot(point(x, (*points)[k]));
  return sum;
}

void Dyad::add(double factor, Vector& y) const {
  for (std::size_t k = 0; k < points->size(); ++k) point(y, (*points)[k]) += factor * point(u, int(k));
}

void BlockMatrix::multiply(const Vector& x, Vector& y) const {
  y.resize(x.size());
  parallel_pieces(pattern->rows(), rows_per_piece,
                  [&](int begin, int end) { multiply_rows(*this, x, y, begin, end); });
  for (int k = 0; k < dyad_count; ++k) dyads[std::size_t(k)].add(dyads[std::size_t(k)].dot(x), y);
}

double BlockMatrix::multiply_dot(const Vector& x, Vector& y) const {
  y.resize(x.size());
  double sum = parallel_sum(pattern->rows(), rows_per_piece, [&](int begin, int end) {
    multiply_rows(*this, x, y, begin, end);
    const Eigen::Index at = 3 * Eigen::Index(begin), n = 3 * Eigen::Index(end - begin);
    return x.segment(at, n).dot(y.segment(at, n));
  });
  for (int k = 0; k < dyad_count; ++k) {
    const double along = dyads[std::size_t(k)].dot(x);
    dyads[std::size_t(k)].add(along, y);
    sum += along * along;
  }
  return sum;
}

}  // namespace verve
