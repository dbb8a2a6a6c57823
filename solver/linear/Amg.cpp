#include "linear/Amg.h"

#include <Eigen/Geometry>

#include "base/Parallel.h"
#include "linear/DenseKernels.h"

namespace verve {
namespace {

constexpr int coarsest_rows = 60;  // a dense factor takes over from here
constexpr int most_levels = 12;
constexpr double strength = 0.25;  // of a connection, against the strongest of either end
constexpr int first_power_iterations = 15, later_power_iterations = 2;

// Rotations are measured about the middle of the body and in units of its size, so that all modes weigh
// alike.
std::vector<AmgLevel<3>::Modes> rigid_motions(const Vector& positions) {
  const int points = int(positions.size() / 3);
  Vec3 low = point(positions, 0), high = low;
  for (int i = 1; i < points; ++i) {
    low = low.cwiseMin(point(positions, i));
    high = high.cwiseMax(point(positions, i));
  }
  const Vec3 middle = 0.5 * (low + high);
  const double size = std::max((high - low).maxCoeff(), 1e-30);
  std::vector<AmgLevel<3>::Modes> modes(points);
  for (int i = 0; i < points; ++i) {
    const Vec3 arm = (point(positions, i) - middle) / size;
    modes[i].leftCols<3>().setIdentity();
    for (int axis = 0; axis < 3; ++axis) modes[i].col(3 + axis) = Vec3::Unit(axis).cross(arm);
  }
  return modes;
}

}  // namespace

bool Amg::build(const BlockMatrix& a, const Vector& positions) {
  const BlockPattern& pattern = *a.pattern;
  finest_ = {};
  coarse_.clear();
  finest_.row_start = pattern.row_start;
  finest_.column = pattern.column;
  finest_.diagonal = pattern.diagonal;
  finest_.values.assign(a.values.size() + 8, 0.0f);
  finest_.allocate_vectors();
  load(a);
  failed_point_ = finest_.prepare(first_power_iterations);
  if (failed_point_ >= 0) return false;
  coarse_.emplace_back();
  auto modes = finest_.coarsen(rigid_motions(positions), strength, coarsest());
  finest_.project(coarsest());
  while (coarsest().rows() > coarsest_rows && int(coarse_.size()) < most_levels) {
    AmgLevel<rigid_modes>& level = coarsest();
    if (level.prepare(first_power_iterations) >= 0) return false;
    coarse_.emplace_back();
    modes = level.coarsen(modes, strength, coarsest());
    if (coarsest().rows() > level.rows() / 2) {
      coarse_.pop_back();
      break;
    }
    level.project(coarsest());
  }
  const std::size_t n = rigid_modes * std::size_t(coarsest().rows());
  factor_.assign(n * n, 0.0);
  solution_.assign(n, 0.0);
  return factorize_coarsest();
}

bool Amg::refresh(const BlockMatrix& a) {
  load(a);
  failed_point_ = finest_.prepare(later_power_iterations);
  if (failed_point_ >= 0) return false;
  finest_.project(coarse_[0]);
  for (std::size_t l = 0; l + 1 < coarse_.size(); ++l) {
    if (coarse_[l].prepare(later_power_iterations) >= 0) return false;
    coarse_[l].project(coarse_[l + 1]);
  }
  return factorize_coarsest();
}

void Amg::load(const BlockMatrix& a) {
  parallel_pieces(a.pattern->rows(), 1024, [&](int begin, int end) {
    for (std::size_t k = a.pattern->row_start[begin]; k < std::size_t(a.pattern->row_start[end]); ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) finest_.values[9 * k + 3 * c + r] = float(a.values[9 * k + 3 * r + c]);
  });
}

bool Amg::factorize_coarsest() {
  const AmgLevel<rigid_modes>& level = coarsest();
  const int n = rigid_modes * level.rows();
  std::fill(factor_.begin(), factor_.end(), 0.0);
  for (int i = 0; i < level.rows(); ++i)
    for (int k = level.row_start[i]; k < level.row_start[i + 1]; ++k)
      for (int c = 0; c < rigid_modes; ++c)
        for (int r = 0; r < rigid_modes; ++r)
          factor_[rigid_modes * std::size_t(i) + r + std::size_t(n) * (rigid_modes * level.column[k] + c)] =
              level.values[rigid_modes * rigid_modes * std::size_t(k) + rigid_modes * c + r];
  return n == 0 || dense::cholesky(n, factor_.data(), n) < 0;
}

void Amg::solve_coarsest() {
  AmgLevel<rigid_modes>& level = coarsest();
  const int n = rigid_modes * level.rows();
  std::copy_n(level.b.begin(), n, solution_.begin());
  if (n > 0) dense::solve_lower(n, factor_.data(), n, solution_.data());
  if (n > 0) dense::solve_lower_transposed(n, factor_.data(), n, solution_.data());
  for (int i = 0; i < n; ++i) level.x[i] = float(solution_[i]);
}

void Amg::apply(const Vector& r, Vector& z) {
  const int points = finest_.rows();
  parallel_pieces(points, 8192, [&](int begin, int end) {
    for (std::size_t i = 3 * std::size_t(begin); i < 3 * std::size_t(end); ++i) finest_.b[i] = float(r[i]);
  });
  finest_.smooth_from_zero();
  finest_.restrict_residual(coarse_[0]);
  for (std::size_t l = 0; l + 1 < coarse_.size(); ++l) {
    coarse_[l].smooth_from_zero();
    coarse_[l].restrict_residual(coarse_[l + 1]);
  }
  solve_coarsest();
  for (std::size_t l = coarse_.size() - 1; l-- > 0;) {
    coarse_[l].prolong(coarse_[l + 1]);
    coarse_[l].smooth();
  }
  finest_.prolong(coarse_[0]);
  finest_.smooth();
  parallel_pieces(points, 8192, [&](int begin, int end) {
    for (std::size_t i = 3 * std::size_t(begin); i < 3 * std::size_t(end); ++i) z[i] = double(finest_.x[i]);
  });
}

}  // namespace verve
