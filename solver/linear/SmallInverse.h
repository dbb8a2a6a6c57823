// Inverses of the small diagonal blocks that smoothers use.
#pragma once

namespace verve {

/// Inverts a symmetric N x N matrix in place, by elimination without pivoting. False when it is not positive
/// definite; it is then left half done.
template <int N>
bool invert_definite(double (&m)[N][N]) {
  for (int k = 0; k < N; ++k) {
    const double pivot = m[k][k];
    if (!(pivot > 0)) return false;
    m[k][k] = 1.0;
    for (int c = 0; c < N; ++c) m[k][c] /= pivot;
    for (int r = 0; r < N; ++r) {
      if (r == k) continue;
      const double factor = m[r][k];
      m[r][k] = 0.0;
      for (int c = 0; c < N; ++c) m[r][c] -= factor * m[k][c];
    }
  }
  return true;
}

}  // namespace verve
