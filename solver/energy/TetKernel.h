// What a deformation gradient gives, four elements at a time: strains, stresses, and their change. For every
// element that has such gradients, however many.
#pragma once

#include <cmath>

#include "energy/Energy.h"
#include "energy/Material.h"

namespace verve {

/// A deformation gradient and what follows from it.
struct DeformationState {
  Pack33 f, c;  ///< F and C = F^T F
  Strain strain;
};

inline Pack33 cofactor(const Pack33& f) {
  Pack33 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c[i][j] = f[i1][j1] * f[i2][j2] - f[i1][j2] * f[i2][j1];
    }
  return c;
}

inline Pack determinant(const Pack33& f) {
  return f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
         f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
         f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
}

inline Pack double_dot(const Pack33& a, const Pack33& b) {
  Pack s = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s += a[i][j] * b[i][j];
  return s;
}

inline Pack33 between(const Pack33& f0, const Pack33& f1, double s) {
  Pack33 f;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) f[i][j] = f0[i][j] + s * (f1[i][j] - f0[i][j]);
  return f;
}

template <class Material>
DeformationState state_at(const Pack33& f) {
  DeformationState state;
  state.f = f;
  Pack trace = 0.0, squared = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      const Pack c = f[0][i] * f[0][j] + f[1][i] * f[1][j] + f[2][i] * f[2][j];
      state.c[i][j] = state.c[j][i] = c;
      const Pack e = 0.5 * (i == j ? c - 1.0 : c);
      squared += (i == j ? 1.0 : 2.0) * e * e;
      if (i == j) trace += e;
    }
  state.strain = {trace, squared, Material::has_volume_term ? determinant(f) : Pack(1.0)};
  return state;
}

/// Adds weight * P, the first Piola-Kirchhoff stress, to `stress`.
template <class Material>
void add_stress(const DeformationState& s, const Density& d, double weight, Pack33& stress) {
  const Pack a = 2.0 * weight * d.linear, b = -2.0 * weight * d.c2;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      stress[i][j] +=
          a * s.f[i][j] + b * (s.f[i][0] * s.c[0][j] + s.f[i][1] * s.c[1][j] + s.f[i][2] * s.c[2][j]);
  if constexpr (Material::has_volume_term) {
    const Pack33 cof = cofactor(s.f);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) stress[i][j] += weight * d.g1 * cof[i][j];
  }
}

/// P = Q + (dw - Q:dF)/(dF:dF) dF makes the work along the chord equal the change of energy, whatever the
/// quadrature's stress Q; this is its second term. `share` is 1 over the average force's weight.
template <class Material>
Pack33 closing_stress(const Chord& chord, double share, const Pack33& f0, const Pack33& f1, Pack mu,
                      Pack lambda) {
  const DeformationState start = state_at<Material>(f0), end = state_at<Material>(f1);
  const Density d0 = Material::at(start.strain, mu, lambda), d1 = Material::at(end.strain, mu, lambda);
  Pack33 q = {}, df, correction;
  if (chord.start_share != 0.0) add_stress<Material>(start, d0, chord.start_share, q);
  for (const Sample& j : chord.samples) {
    const DeformationState s = state_at<Material>(between(f0, f1, j.s));
    add_stress<Material>(s, Material::at(s.strain, mu, lambda), share * j.w * j.s, q);
  }
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) df[a][b] = f1[a][b] - f0[a][b];
  const Pack squared = double_dot(df, df), gap = d1.value - d0.value - double_dot(q, df);
  for (int lane = 0; lane < Pack::size; ++lane) {
    // Below round-off of the energies the gap is noise, and divided by a small dF it would become a force.
    const double noise =
        1e-15 * (mu[lane] + std::abs(lambda[lane]) + std::abs(d0.value[lane]) + std::abs(d1.value[lane]));
    const bool real = squared[lane] > 1e-10 && std::abs(gap[lane]) > noise;
    const double factor = real ? gap[lane] / squared[lane] : 0.0;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) correction[a][b].set(lane, factor * df[a][b][lane]);
  }
  return correction;
}

/// The change of Green's strain from f0 to f1, and the stress in the reference frame that it costs.
struct StrainChange {
  Pack33 stress;  ///< S = 2 mu dE + lambda tr(dE) 1
  Pack density;   ///< mu dE:dE + lambda/2 tr^2 dE
};

inline StrainChange strain_change_of(Pack mu, Pack lambda, const Pack33& f0, const Pack33& f1) {
  Pack33 e;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      Pack c = 0.0;  // as a product of differences and sums, which keeps small changes exact
      for (int k = 0; k < 3; ++k)
        c += (f1[k][i] - f0[k][i]) * (f1[k][j] + f0[k][j]) + (f1[k][j] - f0[k][j]) * (f1[k][i] + f0[k][i]);
      e[i][j] = e[j][i] = 0.25 * c;
    }
  const Pack trace = e[0][0] + e[1][1] + e[2][2];
  StrainChange change;
  change.density = mu * double_dot(e, e) + 0.5 * lambda * trace * trace;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      change.stress[i][j] = 2.0 * mu * e[i][j] + (i == j ? lambda * trace : Pack(0.0));
  return change;
}

}  // namespace verve
