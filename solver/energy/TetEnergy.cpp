#include "energy/TetEnergy.h"

#include <Eigen/LU>

#include "energy/Definite.h"
#include "energy/MooneyRivlin.h"
#include "energy/NeoHookean.h"
#include "energy/StVK.h"
#include "energy/StableNeoHookean.h"
#include "energy/TetKernel.h"

namespace verve {
namespace {

/// The constants of four tets.
struct Tets {
  Pack3 g[3];  ///< gradients of the shape functions of points 1 to 3; point 0 has minus their sum
  Pack volume, mu, lambda;
  Pack mass;  ///< the share of the tet's mass that each of its points carries
};

Pack33 gradient_of(const Tets& t, const Pack3* q) {
  Pack33 f;
  for (int i = 0; i < 3; ++i) {
    const Pack d1 = q[1][i] - q[0][i], d2 = q[2][i] - q[0][i], d3 = q[3][i] - q[0][i];
    for (int j = 0; j < 3; ++j) f[i][j] = d1 * t.g[0][j] + d2 * t.g[1][j] + d3 * t.g[2][j];
  }
  return f;
}

/// Adds weight * d2w/dF2, contracted with the shape gradients, to the blocks of points 1 to 3 (those with a
/// <= b).
template <class Material>
void add_stiffness(const Tets& t, const DeformationState& s, const Density& d, double weight,
                   Pack (&h)[4][4][9]) {
  const Pack w = weight * t.volume;
  const Pack along = 4.0 * w * (d.f11 + d.c2), swapped = -2.0 * w * d.c2;
  Pack33 left;  // 2 linear 1 - 2 c2 F F^T
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      left[i][j] = swapped * (s.f[i][0] * s.f[j][0] + s.f[i][1] * s.f[j][1] + s.f[i][2] * s.f[j][2]) +
                   (i == j ? 2.0 * w * d.linear : Pack(0.0));
  Pack33 cof;
  if constexpr (Material::has_volume_term) cof = cofactor(s.f);
  Pack3 fg[3], cg[3];
  for (int a = 0; a < 3; ++a) {
    fg[a] = s.f * t.g[a];
    if constexpr (Material::has_volume_term) cg[a] = cof * t.g[a];
  }
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) {
      Pack(&out)[9] = h[a + 1][b + 1];
      const Pack g = dot(t.g[a], t.g[b]), isotropic = swapped * dot(fg[a], fg[b]);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          out[3 * i + j] += g * left[i][j] + along * fg[a][i] * fg[b][j] + swapped * fg[b][i] * fg[a][j] +
                            (i == j ? isotropic : Pack(0.0));
      if constexpr (Material::has_volume_term) {
        const Pack second = w * d.g2;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) out[3 * i + j] += second * cg[a][i] * cg[b][j];
        if (a != b) {  // the second derivative of J is minus the cross product with F (g_a x g_b)
          const Pack3 k = s.f * cross(t.g[a], t.g[b]);
          const Pack first = w * d.g1;
          out[1] += first * k[2], out[2] -= first * k[1];
          out[3] -= first * k[2], out[5] += first * k[0];
          out[6] += first * k[1], out[7] -= first * k[0];
        }
      }
    }
}

/// weight * B^T C B at F, and the geometric part of `stress`, as blocks of points 1 to 3.
void strain_stiffness(const Tets& t, const Pack33& f, const Pack33& stress, Pack weight, Pack (&h)[4][4][9]) {
  const Pack w = weight * t.volume, mu = w * t.mu, lambda = w * t.lambda;
  Pack33 left;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) left[i][j] = mu * (f[i][0] * f[j][0] + f[i][1] * f[j][1] + f[i][2] * f[j][2]);
  const Pack3 fg[3] = {f * t.g[0], f * t.g[1], f * t.g[2]};
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) {
      const Pack g = dot(t.g[a], t.g[b]), geometric = w * dot(t.g[a], stress * t.g[b]);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          h[a + 1][b + 1][3 * i + j] = g * left[i][j] + mu * fg[b][i] * fg[a][j] +
                                       lambda * fg[a][i] * fg[b][j] + (i == j ? geometric : Pack(0.0));
    }
}

/// The forces on the four points of a stress P, for each of four tets.
void spread_stress(const Tets& t, const Pack33& stress, Pack3* g) {
  for (int a = 1; a < 4; ++a) {
    g[a] = stress * t.g[a - 1];
    for (int k = 0; k < 3; ++k) g[a][k] *= t.volume;
  }
  for (int k = 0; k < 3; ++k) g[0][k] = -(g[1][k] + g[2][k] + g[3][k]);
}

/// Fills in what follows by symmetry and from rigid translations doing no work.
void complete(Pack (&h)[4][4][9]) {
  for (int a = 1; a < 4; ++a)
    for (int b = 1; b < a; ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) h[a][b][3 * i + j] = h[b][a][3 * j + i];
  for (int k = 0; k < 9; ++k) {
    for (int a = 1; a < 4; ++a) h[a][0][k] = -(h[a][1][k] + h[a][2][k] + h[a][3][k]);
    for (int b = 1; b < 4; ++b) h[0][b][k] = -(h[1][b][k] + h[2][b][k] + h[3][b][k]);
    h[0][0][k] = -(h[0][1][k] + h[0][2][k] + h[0][3][k]);
  }
}

/// Three orthonormal vectors over the four points, orthogonal to translations.
constexpr double relative[3][4] = {{.5, .5, -.5, -.5}, {.5, -.5, .5, -.5}, {.5, -.5, -.5, .5}};

void make_definite(Pack (&h)[4][4][9], Pack mass, double filter) {
  Pack b[9][9];
  for (int p = 0; p < 3; ++p)
    for (int k = 0; k < 9; ++k) {
      Pack t[4];
      for (int n = 0; n < 4; ++n) {
        t[n] = 0.0;
        for (int a = 0; a < 4; ++a) t[n] += relative[p][a] * h[a][n][k];
      }
      for (int q = 0; q < 3; ++q) {
        Pack s = 0.0;
        for (int n = 0; n < 4; ++n) s += relative[q][n] * t[n];
        b[3 * p + k / 3][3 * q + k % 3] = s;
      }
    }
  const unsigned bad = indefinite_lanes(b, mass);
  if (!bad) return;
  filter_lanes(b, mass, filter, bad);
  Pack is_bad;
  for (int lane = 0; lane < Pack::size; ++lane) is_bad.set(lane, bad >> lane & 1);
  for (int k = 0; k < 9; ++k) {
    Pack t[3][4];
    for (int p = 0; p < 3; ++p)
      for (int n = 0; n < 4; ++n) {
        t[p][n] = 0.0;
        for (int q = 0; q < 3; ++q) t[p][n] += relative[q][n] * b[3 * p + k / 3][3 * q + k % 3];
      }
    for (int a = 0; a < 4; ++a)
      for (int n = 0; n < 4; ++n) {
        Pack s = 0.0;
        for (int p = 0; p < 3; ++p) s += relative[p][a] * t[p][n];
        h[a][n][k] = where_above(is_bad, 0.0, s, h[a][n][k]);
      }
  }
}

template <class Material>
class TetEnergy final : public Energy {
 public:
  TetEnergy(const Vector& rest, const std::vector<std::array<int, 4>>& tets, const TetMaterial& material,
            const Partition& partition)
      : stencils_(tets, partition), tets_(stencils_.size()) {
    for (int i = 0; i < stencils_.size(); ++i) {
      const auto& block = stencils_[i];
      for (int lane = 0; lane < Pack::size; ++lane) {
        Mat3 edges;
        for (int a = 0; a < 3; ++a)
          edges.col(a) = point(rest, block.point[a + 1][lane]) - point(rest, block.point[0][lane]);
        const Mat3 inverse = edges.inverse();
        const int e = block.element[lane];
        Tets& t = tets_[i];
        for (int a = 0; a < 3; ++a)
          for (int j = 0; j < 3; ++j) t.g[a][j].set(lane, inverse(a, j));
        t.volume.set(lane, edges.determinant() / 6.0);
        t.mu.set(lane, material.mu[e]);
        t.lambda.set(lane, material.lambda[e]);
        t.mass.set(lane, 0.25 * material.density[e] * t.volume[lane]);
      }
    }
  }

  void append_pairs(std::vector<std::array<int, 2>>& pairs) const override { stencils_.append_pairs(pairs); }
  void attach(const BlockPattern& pattern) override { stencils_.attach(pattern); }

  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    const bool corrected = corrected_ && chord.has_start();
    const double weight = corrected ? chord.average_weight() : 0.0;
    return stencils_.sum_each([&](int i) {
      const Tets& t = tets_[i];
      const Ends ends = gather(i, chord, x);
      Pack energy = 0.0;
      Pack33 stress = {};
      for (const Sample& j : chord.samples) {
        const DeformationState s = state_at<Material>(j.s == 1.0 ? ends.f1 : between(ends.f0, ends.f1, j.s));
        const Density d = Material::at(s.strain, t.mu, t.lambda);
        energy += j.w * d.value;
        if (gradient) add_stress<Material>(s, d, j.w * j.s, stress);
      }
      if (corrected) {
        energy += weight * double_dot(correction_[i], ends.f1);
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) stress[a][b] += weight * correction_[i][a][b];
      }
      if (gradient) {
        Pack3 g[4];
        spread_stress(t, stress, g);
        stencils_.scatter(i, g, *gradient);
      }
      return t.volume * energy;
    });
  }

  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const override {
    stencils_.for_each([&](int i) {
      const Tets& t = tets_[i];
      const Ends ends = gather(i, chord, x);
      Pack h[4][4][9];
      for (int a = 1; a < 4; ++a)
        for (int b = a; b < 4; ++b)
          for (int k = 0; k < 9; ++k) h[a][b][k] = 0.0;
      for (const Sample& j : chord.samples) {
        const DeformationState s = state_at<Material>(j.s == 1.0 ? ends.f1 : between(ends.f0, ends.f1, j.s));
        add_stiffness<Material>(t, s, Material::at(s.strain, t.mu, t.lambda), j.w * j.s * j.s, h);
      }
      complete(h);
      if (filter > 0.0) make_definite(h, t.mass, filter);
      stencils_.scatter(i, h, hessian);
    });
  }

  bool update_correction(const Chord& chord, const Vector& x) override {
    corrected_ = true;
    correction_.resize(tets_.size());
    const double share = 1.0 / chord.average_weight();
    stencils_.for_each([&](int i) {
      const Tets& t = tets_[i];
      const Ends ends = gather(i, chord, x);
      correction_[i] = closing_stress<Material>(chord, share, ends.f0, ends.f1, t.mu, t.lambda);
    });
    return true;
  }
  void clear_correction() override { corrected_ = false; }
  bool quartic() const override { return Material::quartic; }

  double strain_change(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                       Vector* gradient) const override {
    return weight * stencils_.sum_each([&](int i) {
      const Tets& t = tets_[i];
      const Pack33 f0 = gradient_at(i, from), f1 = gradient_at(i, x);
      const StrainChange change = strain_change_of(t.mu, t.lambda, f0, f1);
      const Pack share = stencils_.mean(i, multiplier);
      if (gradient) {
        Pack33 stress;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            stress[a][b] = weight * share *
                           (f1[a][0] * change.stress[0][b] + f1[a][1] * change.stress[1][b] +
                            f1[a][2] * change.stress[2][b]);
        Pack3 g[4];
        spread_stress(t, stress, g);
        stencils_.scatter(i, g, *gradient);
      }
      return share * t.volume * change.density;
    });
  }

  void add_strain_change_hessian(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                                 double filter, BlockMatrix& hessian) const override {
    stencils_.for_each([&](int i) {
      const Tets& t = tets_[i];
      const Pack33 f = gradient_at(i, x);
      Pack33 stress = {};
      if (filter < 1.0 && &from != &x) {
        stress = strain_change_of(t.mu, t.lambda, gradient_at(i, from), f).stress;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) stress[a][b] *= 1.0 - filter;
      }
      Pack h[4][4][9];
      strain_stiffness(t, f, stress, weight * stencils_.mean(i, multiplier), h);
      complete(h);
      stencils_.scatter(i, h, hessian);
    });
  }

  int elements() const override { return stencils_.elements(); }
  int stencil(int element, int (&points)[max_stencil]) const override {
    return stencils_.points_of(element, points);
  }
  void element_gradients(const int (&elements)[Pack::size], const Pack3 (&x)[max_stencil],
                         Pack3 (&gradient)[max_stencil]) const override {
    Tets t;
    for (int lane = 0; lane < Pack::size; ++lane) {
      const auto place = stencils_.place_of(elements[lane]);
      const Tets& from = tets_[place.block];
      for (int a = 0; a < 3; ++a)
        for (int j = 0; j < 3; ++j) t.g[a][j].set(lane, from.g[a][j][place.lane]);
      t.volume.set(lane, from.volume[place.lane]);
      t.mu.set(lane, from.mu[place.lane]);
      t.lambda.set(lane, from.lambda[place.lane]);
    }
    const DeformationState s = state_at<Material>(gradient_of(t, x));
    Pack33 stress = {};
    add_stress<Material>(s, Material::at(s.strain, t.mu, t.lambda), 1.0, stress);
    spread_stress(t, stress, gradient);
  }

  int constants() const override { return 12; }
  int rest_constants() const override { return 10; }
  void get_constants(double* out) const override {
    stencils_.for_each_lane([&](int i, int lane, int element) {
      const Tets& t = tets_[i];
      double* c = out + 12 * std::size_t(element);
      for (int k = 0; k < 9; ++k) c[k] = t.g[k / 3][k % 3][lane];
      c[9] = t.volume[lane], c[10] = t.mu[lane], c[11] = t.lambda[lane];
    });
  }
  void set_constants(const double* from) override {
    stencils_.for_each_lane([&](int i, int lane, int element) {
      Tets& t = tets_[i];
      const double* c = from + 12 * std::size_t(element);
      for (int k = 0; k < 9; ++k) t.g[k / 3][k % 3].set(lane, c[k]);
      t.volume.set(lane, c[9]), t.mu.set(lane, c[10]), t.lambda.set(lane, c[11]);
    });
  }

  bool resists_inversion() const override { return Material::resists_inversion; }
  int inverted(const Vector& x) const override {
    return int(stencils_.sum_each([&](int i) {
      const Pack j = determinant(gradient_at(i, x));
      Pack count = 0.0;
      for (int lane = 0; lane < Pack::size; ++lane) count.set(lane, j[lane] > 0.0 ? 0.0 : 1.0);
      return count;
    }));
  }

 private:
  struct Ends {
    Pack33 f0, f1;  ///< F at the chord's ends (f0 only where a sample lies before the end)
  };

  Pack33 gradient_at(int i, const Vector& x) const {
    Pack3 q[4];
    stencils_.gather(i, x, q);
    return gradient_of(tets_[i], q);
  }

  Ends gather(int i, const Chord& chord, const Vector& x) const {
    Ends ends;
    ends.f1 = gradient_at(i, x);
    ends.f0 = chord.has_start() ? gradient_at(i, chord.x0) : ends.f1;
    return ends;
  }

  Stencils<4> stencils_;
  std::vector<Tets> tets_;
  bool corrected_ = false;
  std::vector<Pack33> correction_;
};

}  // namespace

std::unique_ptr<Energy> make_tet_energy(const Vector& rest, const std::vector<std::array<int, 4>>& tets,
                                        const TetMaterial& material, const Partition& partition) {
  switch (material.model) {
    case TetModel::neo_hookean:
      return std::make_unique<TetEnergy<NeoHookean>>(rest, tets, material, partition);
    case TetModel::stable_neo_hookean:
      return std::make_unique<TetEnergy<StableNeoHookean>>(rest, tets, material, partition);
    case TetModel::mooney_rivlin:
      return std::make_unique<TetEnergy<MooneyRivlin>>(rest, tets, material, partition);
    case TetModel::stvk:
      break;
  }
  return std::make_unique<TetEnergy<StVK>>(rest, tets, material, partition);
}

}  // namespace verve
