#include "linear/AmgLevel.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/Parallel.h"
#include "linear/SmallInverse.h"

namespace verve {
template <int N>
void AmgLevel<N>::allocate_vectors() {
  const std::size_t n = N * std::size_t(rows());
  for (std::vector<float>* v : {&b, &x, &direction_, &other_}) v->assign(n + spare, 0.0f);
  inverse_.assign(N * n + spare, 0.0f);
  top_vector_.assign(n + spare, 0.0f);
  // Any start will do that is not by chance free of the top eigenvector; this one has all frequencies.
  unsigned state = 1;
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    top_vector_[i] = float(state >> 8) / float(1 << 24) - 0.5f;
  }
}

template <int N>
typename AmgLevel<N>::Lanes AmgLevel<N>::product(int row, const std::vector<float>& vector) const {
  // One sum for each column of the blocks: a single one would wait for itself.
  Lanes sums[N];
  for (Lanes& sum : sums) sum.setZero();
  for (int k = row_start[row]; k < row_start[row + 1]; ++k) {
    const float* block = &values[N * N * std::size_t(k)];
    const float* v = &vector[N * std::size_t(column[k])];
    for (int c = 0; c < N; ++c) sums[c] += Lanes::Map(block + N * c) * v[c];
  }
  for (int c = 1; c < N; ++c) sums[0] += sums[c];
  return sums[0];
}

template <int N>
typename AmgLevel<N>::Lanes AmgLevel<N>::times_inverse(int row, const Lanes& r) const {
  Lanes sum = Lanes::Zero();
  const float* block = &inverse_[N * N * std::size_t(row)];
  for (int c = 0; c < N; ++c) sum += Lanes::Map(block + N * c) * r[c];
  return sum;
}

template <int N>
int AmgLevel<N>::prepare(int power_iterations) {
  std::atomic<int> failed{rows()};
  parallel_pieces(rows(), rows_per_piece, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const float* from = &values[N * N * std::size_t(diagonal[i])];
      double block[N][N];
      std::copy_n(from, N * N, &block[0][0]);
      if (!invert_definite(block)) {
        for (int seen = failed; i < seen && !failed.compare_exchange_weak(seen, i);) {
        }
        return;
      }
      for (int k = 0; k < N * N; ++k) inverse_[N * N * std::size_t(i) + k] = float(block[k / N][k % N]);
    }
  });
  if (failed < rows()) return failed;
  for (int iteration = 0; iteration < power_iterations; ++iteration) {
    const double norm = std::sqrt(parallel_sum(rows(), rows_per_piece, [&](int begin, int end) {
      double sum = 0;
      for (int i = begin; i < end; ++i) {
        const Lanes image = times_inverse(i, product(i, top_vector_));
        for (int r = 0; r < N; ++r)
          sum += double(image[r]) * image[r], other_[N * std::size_t(i) + r] = image[r];
      }
      return sum;
    }));
    top_ = norm;
    const float scale = norm > 0 ? float(1 / norm) : 1.0f;
    for (std::size_t i = 0; i < N * std::size_t(rows()); ++i) top_vector_[i] = other_[i] * scale;
  }
  return -1;
}

template <int N>
void AmgLevel<N>::project(AmgLevel<rigid_modes>& coarse) {
  using Six = Eigen::Array<float, 8, 1>;  // the six rows of a coarse block, and two zeros
  const Six first_six = (Six() << 1, 1, 1, 1, 1, 1, 0, 0).finished();
  constexpr int block_size = rigid_modes * rigid_modes;
  const int per_chunk = (coarse.rows() + int(chunks_.size()) - 1) / int(chunks_.size());
  if (per_chunk == 0) return;
  parallel_pieces(coarse.rows(), per_chunk, [&](int begin, int end) {
    Chunk& chunk = chunks_[begin / per_chunk];
    for (int c = begin; c < end; ++c) {
      chunk.rows.clear();
      for (int t = t_start_[c]; t < t_start_[c + 1]; ++t) {
        const int i = t_row_[t];
        const float* entry = &p_[N * rigid_modes * std::size_t(t_entry_[t])];
        Six p[N];
        for (int r = 0; r < N; ++r) p[r] = Six::Map(entry + rigid_modes * r) * first_six;
        for (int k = row_start[i]; k < row_start[i + 1]; ++k) {
          int& slot = chunk.slot[column[k]];
          if (slot == -1) {
            slot = int(chunk.rows.size());
            chunk.rows.push_back(column[k]);
            std::fill_n(&chunk.q[8 * N * std::size_t(slot)], 8 * N, 0.0f);
          }
          float* q = &chunk.q[8 * N * std::size_t(slot)];
          const float* block = &values[N * N * std::size_t(k)];
          for (int col = 0; col < N; ++col) {
            Six sum = Six::Map(q + 8 * col);
            for (int r = 0; r < N; ++r) sum += p[r] * block[N * col + r];
            Six::Map(q + 8 * col) = sum;
          }
        }
      }
      const int row_begin = coarse.diagonal[c], row_end = coarse.row_start[c + 1];
      for (int k = row_begin; k < row_end; ++k) chunk.column[coarse.column[k]] = k;
      std::fill(&coarse.values[block_size * std::size_t(row_begin)],
                &coarse.values[0] + block_size * std::size_t(row_end), 0.0f);
      for (std::size_t s = 0; s < chunk.rows.size(); ++s) {
        const int j = chunk.rows[s];
        const float* q = &chunk.q[8 * N * s];
        for (int e = p_start_[j]; e < p_start_[j + 1]; ++e) {
          if (p_column_[e] < c) continue;
          float* target = &coarse.values[block_size * std::size_t(chunk.column[p_column_[e]])];
          const float* p = &p_[N * rigid_modes * std::size_t(e)];
          for (int col = 0; col < rigid_modes; ++col) {
            Six sum = Six::Zero();
            for (int r = 0; r < N; ++r) sum += Six::Map(q + 8 * r) * p[rigid_modes * r + col];
            // The last two entries of the sum are zero; only at the end of the block they may not be written.
            if (col + 1 < rigid_modes)
              Six::Map(target + rigid_modes * col) += sum;
            else
              for (int r = 0; r < rigid_modes; ++r) target[rigid_modes * col + r] += sum[r];
          }
        }
        chunk.slot[j] = -1;
      }
      for (int r = 0; r < rigid_modes; ++r)
        if (unused_[rigid_modes * std::size_t(c) + r])
          coarse.values[block_size * std::size_t(row_begin) + (rigid_modes + 1) * r] = 1.0f;
    }
  });
  parallel_pieces(coarse.rows(), per_chunk, [&](int begin, int end) {
    for (int c = begin; c < end; ++c)
      for (int k = coarse.row_start[c]; k < coarse.diagonal[c]; ++k) {
        const float* from = &coarse.values[block_size * std::size_t(mirror_[k])];
        float* to = &coarse.values[block_size * std::size_t(k)];
        for (int r = 0; r < rigid_modes; ++r)
          for (int col = 0; col < rigid_modes; ++col) to[rigid_modes * col + r] = from[rigid_modes * r + col];
      }
  });
}

// One step of d = momentum d + gain D^-1 (b - A x), x += d. The new x goes to a second vector, as other rows
// still read the old one.
template <int N>
void AmgLevel<N>::chebyshev_step(float momentum, float gain, bool first) {
  parallel_pieces(rows(), rows_per_piece, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const std::size_t at = N * std::size_t(i);
      Lanes residual = Lanes::Map(&b[at]);
      if (!first) residual -= product(i, x);
      const Lanes step = gain * times_inverse(i, residual);
      for (int r = 0; r < N; ++r) {
        direction_[at + r] = momentum == 0 ? step[r] : momentum * direction_[at + r] + step[r];
        other_[at + r] = (first ? 0.0f : x[at + r]) + direction_[at + r];
      }
    }
  });
  std::swap(x, other_);
}

namespace {

// The coefficients of two Chebyshev steps for eigenvalues of D^-1 A in [top/8, 1.1 top].
struct Chebyshev {
  float first_gain, momentum, gain;

  explicit Chebyshev(double top) {
    const double upper = 1.1 * top, lower = top / 8;
    const double middle = (upper + lower) / 2, half = (upper - lower) / 2, sigma = middle / half;
    const double rho = 1 / (2 * sigma - 1 / sigma);
    first_gain = float(1 / middle);
    momentum = float(rho / sigma);
    gain = float(2 * rho / half);
  }
};

}  // namespace

template <int N>
void AmgLevel<N>::smooth_from_zero() {
  const Chebyshev c(top_);
  chebyshev_step(0, c.first_gain, true);
  chebyshev_step(c.momentum, c.gain, false);
}

template <int N>
void AmgLevel<N>::smooth() {
  const Chebyshev c(top_);
  chebyshev_step(0, c.first_gain, false);
  chebyshev_step(c.momentum, c.gain, false);
}

template <int N>
void AmgLevel<N>::restrict_residual(AmgLevel<rigid_modes>& coarse) {
  parallel_pieces(rows(), rows_per_piece, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const std::size_t at = N * std::size_t(i);
      const Lanes residual = Lanes::Map(&b[at]) - product(i, x);
      for (int r = 0; r < N; ++r) other_[at + r] = residual[r];
    }
  });
  parallel_pieces(coarse.rows(), 128, [&](int begin, int end) {
    using Six = Eigen::Array<float, 8, 1>;
    for (int c = begin; c < end; ++c) {
      Six sum = Six::Zero();
      for (int t = t_start_[c]; t < t_start_[c + 1]; ++t)
        for (int r = 0; r < N; ++r)
          sum += Six::Map(&p_[N * rigid_modes * std::size_t(t_entry_[t]) + rigid_modes * r]) *
                 other_[N * std::size_t(t_row_[t]) + r];
      for (int r = 0; r < rigid_modes; ++r) coarse.b[rigid_modes * std::size_t(c) + r] = sum[r];
    }
  });
}

template <int N>
void AmgLevel<N>::prolong(const AmgLevel<rigid_modes>& coarse) {
  parallel_pieces(rows(), rows_per_piece, [&](int begin, int end) {
    using SixVector = Eigen::Matrix<float, rigid_modes, 1>;
    using Block = Eigen::Matrix<float, N, rigid_modes, Eigen::RowMajor>;
    for (int i = begin; i < end; ++i) {
      Eigen::Map<Row> own(&x[N * std::size_t(i)]);
      for (int k = p_start_[i]; k < p_start_[i + 1]; ++k)
        own.noalias() += Eigen::Map<const Block>(&p_[N * rigid_modes * std::size_t(k)]) *
                         Eigen::Map<const SixVector>(&coarse.x[rigid_modes * std::size_t(p_column_[k])]);
    }
  });
}

template class AmgLevel<3>;
template class AmgLevel<6>;

}  // namespace verve
