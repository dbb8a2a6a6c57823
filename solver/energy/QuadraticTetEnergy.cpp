#include "energy/QuadraticTetEnergy.h"

#include <Eigen/LU>

#include "energy/Definite.h"
#include "energy/MooneyRivlin.h"
#include "energy/NeoHookean.h"
#include "energy/StVK.h"
#include "energy/StableNeoHookean.h"
#include "energy/TetKernel.h"

namespace verve {
namespace {

constexpr int nodes = 10, gauss = 4;

/// The constants of four elements.
struct Elements {
  Pack3 g[gauss][nodes];    ///< gradients of the shape functions at the Gauss points
  Pack volume, mu, lambda;  ///< the volume is a Gauss point's share
};

/// d2w/dF2 as a matrix, with rows and columns (i, J) -> 3 i + J.
using Tangent = Pack[9][9];

template <class Material>
void add_tangent(const DeformationState& s, const Density& d, double weight, Tangent& k) {
  const Pack along = 4.0 * weight * (d.f11 + d.c2), swapped = -2.0 * weight * d.c2;
  const Pack linear = 2.0 * weight * d.linear, first = weight * d.g1, second = weight * d.g2;
  Pack33 left, cof = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      left[i][j] = swapped * (s.f[i][0] * s.f[j][0] + s.f[i][1] * s.f[j][1] + s.f[i][2] * s.f[j][2]) +
                   (i == j ? linear : Pack(0.0));
  if constexpr (Material::has_volume_term) cof = cofactor(s.f);
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 3; ++a)
      for (int j = 0; j < 3; ++j)
        for (int b = 0; b < 3; ++b) {
          Pack& out = k[3 * i + a][3 * j + b];
          out += along * s.f[i][a] * s.f[j][b] + swapped * s.f[i][b] * s.f[j][a];
          if (a == b) out += left[i][j];
          if (i == j) out += swapped * s.c[b][a];
          if constexpr (Material::has_volume_term) {
            out += second * cof[i][a] * cof[j][b];
            if (i != j && a != b) {  // the derivative of the cofactor
              const int m = 3 - i - j, n = 3 - a - b;
              const bool even = ((j - i + 3) % 3 == 1) == ((b - a + 3) % 3 == 1);
              out += (even ? first : -1.0 * first) * s.f[m][n];
            }
          }
        }
}

/// B^T C B and the geometric part of `stress` (in the reference frame).
void set_strain_tangent(const Pack33& f, const Pack33& stress, Pack mu, Pack lambda, Pack weight,
                        Tangent& k) {
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 3; ++a)
      for (int j = 0; j < 3; ++j)
        for (int b = 0; b < 3; ++b) {
          Pack out = mu * f[i][b] * f[j][a] + lambda * f[i][a] * f[j][b];
          if (a == b) out += mu * (f[i][0] * f[j][0] + f[i][1] * f[j][1] + f[i][2] * f[j][2]);
          if (i == j) out += stress[a][b];
          k[3 * i + a][3 * j + b] = weight * out;
        }
}

Pack33 gradient_of(const Pack3 (&g)[nodes], const Pack3 (&q)[nodes]) {
  Pack33 f = {};
  for (int n = 0; n < nodes; ++n)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) f[i][j] += q[n][i] * g[n][j];
  return f;
}

/// Adds volume * stress, spread over the points.
void add_forces(const Pack3 (&g)[nodes], Pack volume, const Pack33& stress, Pack3 (&out)[nodes]) {
  for (int n = 0; n < nodes; ++n) {
    const Pack3 force = stress * g[n];
    for (int i = 0; i < 3; ++i) out[n][i] += volume * force[i];
  }
}

/// Adds volume * g_a . tangent . g_b to the blocks of points a <= b.
void add_blocks(const Pack3 (&g)[nodes], Pack volume, const Tangent& k, Pack (&h)[nodes][nodes][9]) {
  for (int a = 0; a < nodes; ++a) {
    Pack row[3][9];
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 9; ++c)
        row[i][c] = volume * (g[a][0] * k[3 * i][c] + g[a][1] * k[3 * i + 1][c] + g[a][2] * k[3 * i + 2][c]);
    for (int b = a; b < nodes; ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          h[a][b][3 * i + j] +=
              row[i][3 * j] * g[b][0] + row[i][3 * j + 1] * g[b][1] + row[i][3 * j + 2] * g[b][2];
  }
}

void clear(Pack (&h)[nodes][nodes][9]) {
  for (auto& row : h)
    for (auto& block : row)
      for (Pack& entry : block) entry = 0.0;
}

void complete(Pack (&h)[nodes][nodes][9]) {
  for (int a = 0; a < nodes; ++a)
    for (int b = 0; b < a; ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) h[a][b][3 * i + j] = h[b][a][3 * j + i];
}

template <class Material>
class QuadraticTetEnergy final : public Energy {
 public:
  QuadraticTetEnergy(const Vector& rest, const std::vector<QuadraticTet>& tets, const TetMaterial& material,
                     const Partition& partition)
      : stencils_(tets, partition), elements_(stencils_.size()) {
    for (int i = 0; i < stencils_.size(); ++i)
      for (int lane = 0; lane < Pack::size; ++lane) set(rest, material, i, lane);
  }

  void append_pairs(std::vector<std::array<int, 2>>& pairs) const override { stencils_.append_pairs(pairs); }
  void attach(const BlockPattern& pattern) override { stencils_.attach(pattern); }

  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    const bool corrected = corrected_ && chord.has_start();
    const double weight = corrected ? chord.average_weight() : 0.0;
    return stencils_.sum_each([&](int i) {
      const Elements& t = elements_[i];
      const Ends ends = gather(i, chord, x);
      Pack energy = 0.0;
      Pack3 forces[nodes] = {};
      for (int p = 0; p < gauss; ++p) {
        Pack33 stress = {};
        for (const Sample& j : chord.samples) {
          const DeformationState s =
              state_at<Material>(j.s == 1.0 ? ends.f1[p] : between(ends.f0[p], ends.f1[p], j.s));
          const Density d = Material::at(s.strain, t.mu, t.lambda);
          energy += j.w * d.value;
          if (gradient) add_stress<Material>(s, d, j.w * j.s, stress);
        }
        if (corrected) {
          const Pack33& c = correction_[std::size_t(gauss * i + p)];
          energy += weight * double_dot(c, ends.f1[p]);
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) stress[a][b] += weight * c[a][b];
        }
        if (gradient) add_forces(t.g[p], t.volume, stress, forces);
      }
      if (gradient) stencils_.scatter(i, forces, *gradient);
      return t.volume * energy;
    });
  }

  /// Filters at the Gauss points, where an element's Hessian is one of nine unknowns, not thirty.
  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const override {
    stencils_.for_each([&](int i) {
      const Elements& t = elements_[i];
      const Ends ends = gather(i, chord, x);
      Pack h[nodes][nodes][9];
      clear(h);
      for (int p = 0; p < gauss; ++p) {
        Tangent k = {};
        double size = 0.0;
        for (const Sample& j : chord.samples) {
          const DeformationState s =
              state_at<Material>(j.s == 1.0 ? ends.f1[p] : between(ends.f0[p], ends.f1[p], j.s));
          add_tangent<Material>(s, Material::at(s.strain, t.mu, t.lambda), j.w * j.s * j.s, k);
          size += j.w * j.s * j.s;
        }
        if (filter > 0.0) {
          const Pack slack = 1e-9 * size * t.mu;
          if (const unsigned bad = indefinite_lanes(k, slack)) filter_lanes(k, slack, filter, bad);
        }
        add_blocks(t.g[p], t.volume, k, h);
      }
      complete(h);
      stencils_.scatter(i, h, hessian);
    });
  }

  /// As of linear tets, at every Gauss point.
  bool update_correction(const Chord& chord, const Vector& x) override {
    corrected_ = true;
    correction_.resize(std::size_t(gauss * stencils_.size()));
    const double share = 1.0 / chord.average_weight();
    stencils_.for_each([&](int i) {
      const Elements& t = elements_[i];
      const Ends ends = gather(i, chord, x);
      for (int p = 0; p < gauss; ++p)
        correction_[std::size_t(gauss * i + p)] =
            closing_stress<Material>(chord, share, ends.f0[p], ends.f1[p], t.mu, t.lambda);
    });
    return true;
  }
  void clear_correction() override { corrected_ = false; }

  double strain_change(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                       Vector* gradient) const override {
    return weight * stencils_.sum_each([&](int i) {
      const Elements& t = elements_[i];
      Pack3 q0[nodes], q1[nodes], forces[nodes] = {};
      stencils_.gather(i, from, q0);
      stencils_.gather(i, x, q1);
      const Pack share = stencils_.mean(i, multiplier);
      Pack density = 0.0;
      for (int p = 0; p < gauss; ++p) {
        const Pack33 f0 = gradient_of(t.g[p], q0), f1 = gradient_of(t.g[p], q1);
        const StrainChange change = strain_change_of(t.mu, t.lambda, f0, f1);
        density += change.density;
        if (!gradient) continue;
        Pack33 stress;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            stress[a][b] = weight * share *
                           (f1[a][0] * change.stress[0][b] + f1[a][1] * change.stress[1][b] +
                            f1[a][2] * change.stress[2][b]);
        add_forces(t.g[p], t.volume, stress, forces);
      }
      if (gradient) stencils_.scatter(i, forces, *gradient);
      return share * t.volume * density;
    });
  }

  void add_strain_change_hessian(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                                 double filter, BlockMatrix& hessian) const override {
    stencils_.for_each([&](int i) {
      const Elements& t = elements_[i];
      Pack3 q0[nodes], q1[nodes];
      stencils_.gather(i, from, q0);
      stencils_.gather(i, x, q1);
      const Pack share = weight * stencils_.mean(i, multiplier);
      Pack h[nodes][nodes][9];
      clear(h);
      for (int p = 0; p < gauss; ++p) {
        const Pack33 f = gradient_of(t.g[p], q1);
        Pack33 stress = {};
        if (filter < 1.0 && &from != &x) {
          stress = strain_change_of(t.mu, t.lambda, gradient_of(t.g[p], q0), f).stress;
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) stress[a][b] *= 1.0 - filter;
        }
        Tangent k;
        set_strain_tangent(f, stress, t.mu, t.lambda, share, k);
        add_blocks(t.g[p], t.volume, k, h);
      }
      complete(h);
      stencils_.scatter(i, h, hessian);
    });
  }

  bool resists_inversion() const override { return Material::resists_inversion; }
  /// Elements with a Gauss point that is turned inside out.
  int inverted(const Vector& x) const override {
    return int(stencils_.sum_each([&](int i) {
      Pack3 q[nodes];
      stencils_.gather(i, x, q);
      Pack count = 0.0;
      for (int p = 0; p < gauss; ++p) {
        const Pack j = determinant(gradient_of(elements_[i].g[p], q));
        for (int lane = 0; lane < Pack::size; ++lane)
          if (!(j[lane] > 0.0)) count.set(lane, 1.0);
      }
      return count;
    }));
  }

 private:
  struct Ends {
    Pack33 f0[gauss], f1[gauss];  ///< F at the chord's ends
  };

  Ends gather(int i, const Chord& chord, const Vector& x) const {
    const Elements& t = elements_[i];
    Pack3 q[nodes];
    stencils_.gather(i, x, q);
    Ends ends;
    for (int p = 0; p < gauss; ++p) ends.f1[p] = gradient_of(t.g[p], q);
    if (chord.has_start()) stencils_.gather(i, chord.x0, q);
    for (int p = 0; p < gauss; ++p) ends.f0[p] = chord.has_start() ? gradient_of(t.g[p], q) : ends.f1[p];
    return ends;
  }

  void set(const Vector& rest, const TetMaterial& material, int i, int lane) {
    constexpr int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    constexpr double near = 0.58541019662496845,
                     far = 0.13819660112501051;  // (5 + 3 sqrt 5)/20, (5 - sqrt 5)/20
    const auto& block = stencils_[i];
    const int e = block.element[lane];
    Mat3 sides;
    for (int a = 0; a < 3; ++a)
      sides.col(a) = point(rest, block.point[a + 1][lane]) - point(rest, block.point[0][lane]);
    const Mat3 inverse = sides.inverse();
    Vec3 slope[4] = {Vec3::Zero(), inverse.row(0), inverse.row(1),
                     inverse.row(2)};  // of the barycentric coordinates
    slope[0] = -(slope[1] + slope[2] + slope[3]);
    Elements& t = elements_[i];
    for (int p = 0; p < gauss; ++p) {
      const auto at = [&](int a) { return a == p ? near : far; };
      for (int n = 0; n < nodes; ++n) {
        Vec3 g;
        if (n < 4) {
          g = (4.0 * at(n) - 1.0) * slope[n];
        } else {
          const auto& [a, b] = edges[n - 4];
          g = 4.0 * (at(a) * slope[b] + at(b) * slope[a]);
        }
        for (int j = 0; j < 3; ++j) t.g[p][n][j].set(lane, g[j]);
      }
    }
    t.volume.set(lane, sides.determinant() / 6.0 / gauss);
    t.mu.set(lane, material.mu[e]);
    t.lambda.set(lane, material.lambda[e]);
  }

  Stencils<nodes> stencils_;
  std::vector<Elements> elements_;
  bool corrected_ = false;
  std::vector<Pack33> correction_;
};

}  // namespace

std::unique_ptr<Energy> make_quadratic_tet_energy(const Vector& rest, const std::vector<QuadraticTet>& tets,
                                                  const TetMaterial& material, const Partition& partition) {
  switch (material.model) {
    case TetModel::neo_hookean:
      return std::make_unique<QuadraticTetEnergy<NeoHookean>>(rest, tets, material, partition);
    case TetModel::stable_neo_hookean:
      return std::make_unique<QuadraticTetEnergy<StableNeoHookean>>(rest, tets, material, partition);
    case TetModel::mooney_rivlin:
      return std::make_unique<QuadraticTetEnergy<MooneyRivlin>>(rest, tets, material, partition);
    case TetModel::stvk:
      break;
  }
  return std::make_unique<QuadraticTetEnergy<StVK>>(rest, tets, material, partition);
}

}  // namespace verve
