// Making element Hessians positive definite, four elements at a time.
#pragma once

#include <algorithm>

#include "base/Pack.h"

namespace verve {

/// The lanes (as bits) in which b + mass is not positive definite. A pack of elements is tried by Cholesky,
/// so that the eigenvalues are computed only for those that need it.
template <int K>
unsigned indefinite_lanes(const Pack (&b)[K][K], Pack mass) {
  Pack l[K][K];
  unsigned bad = 0;
  for (int j = 0; j < K; ++j) {
    Pack d = b[j][j] + mass;
    for (int k = 0; k < j; ++k) d -= l[j][k] * l[j][k];
    for (int lane = 0; lane < Pack::size; ++lane)
      if (!(d[lane] > 1e-8 * mass[lane])) bad |= 1u << lane, d.set(lane, 1.0);
    if (bad == 15u) return bad;
    l[j][j] = sqrt(d);
    const Pack inverse = 1.0 / l[j][j];
    for (int i = j + 1; i < K; ++i) {
      Pack s = b[i][j];
      for (int k = 0; k < j; ++k) s -= l[i][k] * l[j][k];
      l[i][j] = s * inverse;
    }
  }
  return bad;
}

/// Turns the plane of two rows of a symmetric matrix, of which only the upper half is kept.
template <int K>
void turn_rows(Pack (&a)[K][K], int p, int q, Pack c, Pack s) {
  const auto turn = [&](Pack& x, Pack& y) {
    const Pack old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  for (int i = 0; i < p; ++i) turn(a[i][p], a[i][q]);
  for (int i = p + 1; i < q; ++i) turn(a[p][i], a[i][q]);
  for (int i = q + 1; i < K; ++i) turn(a[p][i], a[q][i]);
}

/// Jacobi's method, all lanes at once: leaves the eigenvalues on the diagonal of a, and the vectors in the
/// rows of v. Pairs of rows that have nothing in common are turned together, for their angles to be found
/// together.
template <int K>
void find_eigenvalues(Pack (&a)[K][K], Pack (&v)[K][K]) {
  constexpr int rounds = K % 2 ? K : K - 1, most_sweeps = 12;
  Pack size = 0.0;
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < K; ++j) {
      v[i][j] = i == j ? 1.0 : 0.0;
      size += a[i][j] * a[i][j];
    }
  const Pack least = 1e-22 / (K * K) * size;
  bool turned = true;
  for (int sweep = 0; sweep < most_sweeps && turned; ++sweep) {
    turned = false;
    for (int round = 0; round < rounds; ++round) {
      struct {
        int p, q;
        Pack c, s;
      } turns[K / 2];
      int count = 0;
      for (int k = K % 2; k <= rounds / 2; ++k) {
        const int one = (round + k) % rounds, other = k == 0 ? K - 1 : (round + rounds - k) % rounds;
        const int p = std::min(one, other), q = std::max(one, other);
        // A lane turns only where it needs to: what becomes of it does not hang on its neighbours.
        const Pack off = a[p][q], squared = off * off;
        if (!any_above(squared, least)) continue;
        const Pack half = 0.5 * (a[q][q] - a[p][p]);
        const Pack ratio = copy_sign(off, off * half) / (abs(half) + sqrt(half * half + squared) + 1e-300);
        const Pack tangent = where_above(squared, least, ratio, 0.0);
        const Pack c = 1.0 / sqrt(1.0 + tangent * tangent);
        a[p][p] -= tangent * off;
        a[q][q] += tangent * off;
        a[p][q] = where_above(squared, least, 0.0, off);
        turns[count++] = {p, q, c, tangent * c};
      }
      for (int k = 0; k < count; ++k) {
        const auto& t = turns[k];
        turn_rows(a, t.p, t.q, t.c, t.s);
        for (int i = 0; i < K; ++i) {
          const Pack x = v[t.p][i], y = v[t.q][i];
          v[t.p][i] = t.c * x - t.s * y;
          v[t.q][i] = t.s * x + t.c * y;
        }
      }
      turned |= count > 0;
    }
  }
}

/// Moves those lanes of b (as bits) towards the nearest matrix whose sum with mass * 1 is positive definite:
/// all the way for strength 1.
template <int K>
void filter_lanes(Pack (&b)[K][K], Pack mass, double strength, unsigned lanes) {
  Pack a[K][K], v[K][K], finite = 0.0;
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < K; ++j) finite += 0.0 * b[i][j];
  for (int lane = 0; lane < Pack::size;
       ++lane)  // what is not finite does not exist; the line search steps back
    if (!(finite[lane] == 0.0)) lanes &= ~(1u << lane);
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < K; ++j)
      for (int lane = 0; lane < Pack::size; ++lane)
        a[i][j].set(lane, lanes >> lane & 1 ? b[i][j][lane] : 0.0);
  find_eigenvalues(a, v);
  for (int k = 0; k < K; ++k) {
    const Pack below = -(1.0 - 1e-3) * mass - a[k][k];
    if (!any_above(below, 0.0)) continue;
    const Pack lift = strength * max(below, 0.0);
    for (int i = 0; i < K; ++i) {
      const Pack x = lift * v[k][i];
      for (int j = 0; j < K; ++j) b[i][j] += x * v[k][j];
    }
  }
}

}  // namespace verve
