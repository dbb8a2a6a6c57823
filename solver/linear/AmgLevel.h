// One level of the multigrid hierarchy: a float matrix of N x N blocks, its smoother, and the way to the next
// level.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace verve {

/// Rigid motions of a body: three translations and three rotations. Every coarse node has one unknown for
/// each.
constexpr int rigid_modes = 6;

/// N = 3 on the points, 6 on every coarser level. Blocks of the matrix are column-major; those of the
/// prolongation are N x 6, row-major. Arrays of floats end in a few spare entries, as the kernels load whole
/// SIMD registers.
template <int N>
class AmgLevel {
 public:
  /// Modes of a node: what each rigid motion is in its N unknowns.
  using Modes = Eigen::Matrix<double, N, rigid_modes>;
  using CoarseModes = Eigen::Matrix<double, rigid_modes, rigid_modes>;

  // The matrix. Filled by the level's owner, then prepare() makes the smoother.
  std::vector<int> row_start, column, diagonal;
  std::vector<float> values;

  int rows() const { return int(diagonal.size()); }
  void allocate_vectors();

  /// Inverts the diagonal blocks and finds the largest eigenvalue of D^-1 A, by power iterations from the
  /// last call's vector. The first row whose diagonal block is not positive definite, or -1.
  int prepare(int power_iterations);

  /// Makes the prolongation from the present values: aggregates of strong connections, the modes made
  /// orthonormal in each, and one smoothing step. Lays out the coarse matrix; returns the coarse modes. Needs
  /// prepare().
  std::vector<CoarseModes> coarsen(const std::vector<Modes>& modes, double strength,
                                   AmgLevel<rigid_modes>& coarse);

  /// coarse.values = P^T A P, with the prolongation as it is.
  void project(AmgLevel<rigid_modes>& coarse);

  /// x is near A^-1 b; starts from x = 0.
  void smooth_from_zero();
  /// Two more smoothing steps on x: with smooth_from_zero() a symmetric pair.
  void smooth();
  /// coarse b = P^T (b - A x)
  void restrict_residual(AmgLevel<rigid_modes>& coarse);
  /// x += P (coarse x)
  void prolong(const AmgLevel<rigid_modes>& coarse);

  std::vector<float> b, x;

 private:
  static constexpr int spare = 8;
  static constexpr int lanes = N == 3 ? 4 : 8;
  using Lanes = Eigen::Array<float, lanes, 1>;
  using Row = Eigen::Matrix<float, N, 1>;
  static constexpr int rows_per_piece = N == 3 ? 1024 : 128;

  Lanes product(int row, const std::vector<float>& vector) const;
  Lanes times_inverse(int row, const Lanes& r) const;
  void chebyshev_step(float momentum, float gain, bool first);
  void lay_out_transpose(int coarse_rows);
  void lay_out_coarse(AmgLevel<rigid_modes>& coarse);

  std::vector<float> inverse_;  // of the diagonal blocks
  double top_ = 0;              // largest eigenvalue of D^-1 A
  std::vector<float> top_vector_, direction_, other_;
  std::vector<int> p_start_, p_column_;
  std::vector<float> p_;
  std::vector<int> t_start_, t_row_, t_entry_;  // the prolongation by coarse rows
  std::vector<int> mirror_;                     // for each coarse block below the diagonal: the block across
  std::vector<char> unused_;                    // coarse unknowns of modes that an aggregate does not have

  // Coarse rows are projected in a few chunks, each with room of its own.
  struct Chunk {
    std::vector<int> slot;    // of each fine row in `rows`, -1 outside
    std::vector<int> rows;    // fine rows that the present coarse row reaches
    std::vector<int> column;  // place of each coarse column in the present coarse row
    std::vector<float> q;     // the present row of P^T A
  };
  std::vector<Chunk> chunks_;
};

extern template class AmgLevel<3>;
extern template class AmgLevel<6>;

}  // namespace verve
