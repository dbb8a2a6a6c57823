// The set-up of a multigrid level: which nodes the next level has and how they hang together.
#include <algorithm>

#include "linear/Aggregation.h"
#include "linear/AmgLevel.h"

namespace verve {
namespace {

constexpr int chunk_count = 16;

}  // namespace

template <int N>
std::vector<typename AmgLevel<N>::CoarseModes> AmgLevel<N>::coarsen(const std::vector<Modes>& modes,
                                                                    double strength,
                                                                    AmgLevel<rigid_modes>& coarse) {
  using Block = Eigen::Matrix<float, N, N>;
  const auto block = [&](int k) { return Eigen::Map<const Block>(&values[N * N * std::size_t(k)]); };
  // Against the strongest connection of either end: neither the mass nor the number of neighbours matters.
  std::vector<float> strongest(rows(), 0.0f);
  for (int i = 0; i < rows(); ++i)
    for (int k = row_start[i]; k < row_start[i + 1]; ++k)
      if (column[k] != i) strongest[i] = std::max(strongest[i], block(k).squaredNorm());
  std::vector<int> start{0}, neighbour;
  for (int i = 0; i < rows(); ++i) {
    for (int k = row_start[i]; k < row_start[i + 1]; ++k) {
      const int j = column[k];
      const float weaker = std::min(strongest[i], strongest[j]);
      if (j != i && weaker > 0 && block(k).squaredNorm() > float(strength * strength) * weaker)
        neighbour.push_back(j);
    }
    start.push_back(int(neighbour.size()));
  }
  const Aggregates aggregates = aggregate(start, neighbour);

  // The modes of each aggregate, made orthonormal: T holds them, the triangular factors are the coarse modes.
  std::vector<std::vector<int>> members(aggregates.count);
  for (int i = 0; i < rows(); ++i)
    if (aggregates.of[i] != -1) members[aggregates.of[i]].push_back(i);
  std::vector<Modes> tentative(rows(), Modes::Zero());
  std::vector<CoarseModes> coarse_modes(aggregates.count, CoarseModes::Zero());
  unused_.assign(rigid_modes * std::size_t(aggregates.count), 0);
  for (int a = 0; a < aggregates.count; ++a) {
    Eigen::Matrix<double, Eigen::Dynamic, rigid_modes> q(N * members[a].size(), rigid_modes);
    for (std::size_t m = 0; m < members[a].size(); ++m)
      q.template middleRows<N>(N * Eigen::Index(m)) = modes[members[a][m]];
    for (int c = 0; c < rigid_modes; ++c) {
      const double before = q.col(c).norm();
      for (int pass = 0; pass < 2; ++pass)
        for (int e = 0; e < c; ++e) {
          const double along = q.col(e).dot(q.col(c));
          coarse_modes[a](e, c) += along;
          q.col(c) -= along * q.col(e);
        }
      const double norm = q.col(c).norm();
      // Points on a line (or a single point) do not have all the rotations.
      if (norm <= 1e-6 * before || norm == 0) {
        q.col(c).setZero();
        unused_[rigid_modes * std::size_t(a) + c] = 1;
      } else {
        q.col(c) /= norm;
        coarse_modes[a](c, c) = norm;
      }
    }
    for (std::size_t m = 0; m < members[a].size(); ++m)
      tentative[members[a][m]] = q.template middleRows<N>(N * Eigen::Index(m));
  }

  // P = (I - omega D^-1 A) T
  const double omega = 4.0 / (3.0 * 1.05 * top_);
  p_start_.assign(1, 0);
  p_column_.clear();
  p_.clear();
  std::vector<int> slot(aggregates.count, -1);
  std::vector<Modes> sums;
  for (int i = 0; i < rows(); ++i) {
    const int begin = p_start_.back();
    sums.clear();
    if (aggregates.of[i] != -1) {
      const auto add = [&](int j, const Modes& value) {
        const int a = aggregates.of[j];
        if (a == -1) return;
        if (slot[a] < begin) {
          slot[a] = int(p_column_.size());
          p_column_.push_back(a);
          sums.push_back(Modes::Zero());
        }
        sums[slot[a] - begin] += value;
      };
      const Eigen::Matrix<double, N, N> inverse =
          Eigen::Map<const Block>(&inverse_[N * N * std::size_t(i)]).template cast<double>();
      add(i, tentative[i]);
      for (int k = row_start[i]; k < row_start[i + 1]; ++k)
        add(column[k], -omega * inverse * (block(k).template cast<double>() * tentative[column[k]]));
    }
    for (const Modes& sum : sums)
      for (int r = 0; r < N; ++r)
        for (int c = 0; c < rigid_modes; ++c) p_.push_back(float(sum(r, c)));
    p_start_.push_back(int(p_column_.size()));
  }
  p_.resize(p_.size() + spare, 0.0f);
  lay_out_transpose(aggregates.count);
  lay_out_coarse(coarse);
  return coarse_modes;
}

template <int N>
void AmgLevel<N>::lay_out_transpose(int coarse_rows) {
  t_start_.assign(coarse_rows + 1, 0);
  for (int c : p_column_) ++t_start_[c + 1];
  for (int c = 0; c < coarse_rows; ++c) t_start_[c + 1] += t_start_[c];
  t_row_.resize(p_column_.size());
  t_entry_.resize(p_column_.size());
  std::vector<int> next(t_start_.begin(), t_start_.end() - 1);
  for (int i = 0; i < rows(); ++i)
    for (int k = p_start_[i]; k < p_start_[i + 1]; ++k) {
      t_row_[next[p_column_[k]]] = i;
      t_entry_[next[p_column_[k]]++] = k;
    }
}

template <int N>
void AmgLevel<N>::lay_out_coarse(AmgLevel<rigid_modes>& coarse) {
  const int coarse_rows = int(t_start_.size()) - 1;
  coarse.row_start.assign(1, 0);
  coarse.column.clear();
  coarse.diagonal.resize(coarse_rows);
  std::vector<int> seen_row(rows(), -1), seen_column(coarse_rows, -1);
  std::size_t most_reached = 0;
  for (int c = 0; c < coarse_rows; ++c) {
    std::size_t reached = 0;
    for (int t = t_start_[c]; t < t_start_[c + 1]; ++t)
      for (int k = row_start[t_row_[t]]; k < row_start[t_row_[t] + 1]; ++k) {
        const int j = column[k];
        if (seen_row[j] == c) continue;
        seen_row[j] = c;
        ++reached;
        for (int e = p_start_[j]; e < p_start_[j + 1]; ++e)
          if (seen_column[p_column_[e]] != c) {
            seen_column[p_column_[e]] = c;
            coarse.column.push_back(p_column_[e]);
          }
      }
    most_reached = std::max(most_reached, reached);
    std::sort(coarse.column.begin() + coarse.row_start[c], coarse.column.end());
    coarse.row_start.push_back(int(coarse.column.size()));
  }
  const auto find = [&](int row, int col) {
    const auto begin = coarse.column.begin() + coarse.row_start[row];
    return int(std::lower_bound(begin, coarse.column.begin() + coarse.row_start[row + 1], col) -
               coarse.column.begin());
  };
  mirror_.resize(coarse.column.size());
  for (int c = 0; c < coarse_rows; ++c) {
    coarse.diagonal[c] = find(c, c);
    for (int k = coarse.row_start[c]; k < coarse.row_start[c + 1]; ++k)
      mirror_[k] = find(coarse.column[k], c);
  }
  coarse.values.assign(rigid_modes * rigid_modes * coarse.column.size() + spare, 0.0f);
  coarse.allocate_vectors();
  chunks_.resize(chunk_count);
  for (Chunk& chunk : chunks_) {
    chunk.slot.assign(rows(), -1);
    chunk.rows.reserve(most_reached);
    chunk.column.assign(coarse_rows, -1);
    chunk.q.assign(8 * N * most_reached, 0.0f);
  }
}

#define VERVE_INSTANTIATE(N)                                                                             \
  template std::vector<AmgLevel<N>::CoarseModes> AmgLevel<N>::coarsen(const std::vector<Modes>&, double, \
                                                                      AmgLevel<rigid_modes>&);           \
  template void AmgLevel<N>::lay_out_transpose(int);                                                     \
  template void AmgLevel<N>::lay_out_coarse(AmgLevel<rigid_modes>&);
VERVE_INSTANTIATE(3)
VERVE_INSTANTIATE(6)
#undef VERVE_INSTANTIATE

}  // namespace verve
