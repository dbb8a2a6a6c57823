#include "energy/BendingEnergy.h"

#include <algorithm>

#include "energy/MorleyCurvature.h"
#include "energy/SheetRest.h"

namespace verve {
namespace {

constexpr int N = 12;

/// The constants of four triangles.
struct Bends {
  Pack w[N][3], g[3][2], rest[3], area, d11, d22, d12, d33;
};

/// Numbers, or vectors, along warp, weft and mixed.
using Pack3s = Pack3[3];

/// A D c: what three curvatures are answered with.
void respond(const Bends& t, const Pack (&c)[3], Pack (&out)[3]) {
  out[0] = t.area * (t.d11 * c[0] + t.d12 * c[1]);
  out[1] = t.area * (t.d12 * c[0] + t.d22 * c[1]);
  out[2] = t.area * t.d33 * c[2];
}
void respond(const Bends& t, const Pack3s& c, Pack3s& out) {
  for (int k = 0; k < 3; ++k) {
    const Pack in[3] = {c[0][k], c[1][k], c[2][k]};
    Pack m[3];
    respond(t, in, m);
    for (int a = 0; a < 3; ++a) out[a][k] = m[a];
  }
}

/// Of a bent triangle: f along warp and weft, N = f1 x f2, and the curvature vectors.
struct Shape {
  Pack3 f[2], normal, h[3];

  Shape(const Bends& t, const Pack3 (&q)[N]) {
    for (int k = 0; k < 3; ++k) {
      const Pack d1 = q[1][k] - q[0][k], d2 = q[2][k] - q[0][k];
      for (int c = 0; c < 2; ++c) f[c][k] = t.g[1][c] * d1 + t.g[2][c] * d2;
      for (int a = 0; a < 3; ++a) h[a][k] = 0.0;
      for (int i = 1; i < N; ++i) {
        const Pack d = q[i][k] - q[0][k];
        for (int a = 0; a < 3; ++a) h[a][k] += t.w[i][a] * d;
      }
    }
    normal = cross(f[0], f[1]);
  }
  /// h - rest N: what is left of the curvature.
  void residual(const Bends& t, Pack3s& r) const {
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < 3; ++k) r[a][k] = h[a][k] - t.rest[a] * normal[k];
  }
  /// The transpose of dN/dx_i on v, for a corner i.
  Pack3 turned(const Bends& t, int i, const Pack3& v) const {
    // dN = g1 dx x f2 + g2 f1 x dx, and v.dN = dx.(g1 f2 x v + g2 v x f1)
    const Pack3 one = cross(f[1], v), two = cross(v, f[0]);
    Pack3 out;
    for (int k = 0; k < 3; ++k) out[k] = t.g[i][0] * one[k] + t.g[i][1] * two[k];
    return out;
  }
  /// dN/dx_i, row-major.
  void turn(const Bends& t, int i, Pack (&r)[9]) const {
    Pack v[3];  // of the cross product's matrix: g2 f1 - g1 f2
    for (int k = 0; k < 3; ++k) v[k] = t.g[i][1] * f[0][k] - t.g[i][0] * f[1][k];
    const Pack zero = 0.0;
    const Pack m[9] = {zero, -v[2], v[1], v[2], zero, -v[0], -v[1], v[0], zero};
    std::copy(m, m + 9, r);
  }
};

/// Adds -(g_i1 g_j2 - g_i2 g_j1) [v]x to the blocks of the corners: v . d2N.
void add_second_turn(const Bends& t, const Pack3& v, Pack (&h)[N][N][9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (i == j) continue;
      const Pack by = t.g[i][1] * t.g[j][0] - t.g[i][0] * t.g[j][1];
      h[i][j][1] -= by * v[2], h[i][j][2] += by * v[1];
      h[i][j][3] += by * v[2], h[i][j][5] -= by * v[0];
      h[i][j][6] -= by * v[1], h[i][j][7] += by * v[0];
    }
}

void clear(Pack (&h)[N][N][9]) {
  for (auto& row : h)
    for (auto& block : row)
      for (Pack& entry : block) entry = 0.0;
}

/// What both kinds share: elements, damping, and forces one by one.
class CurvatureEnergy : public Energy {
 public:
  CurvatureEnergy(const std::vector<CurvatureStencil>& curvature, const std::vector<SheetLaw>& law,
                  const Partition& partition)
      : stencils_(points_of(curvature), partition), bends_(stencils_.size()) {
    for (int i = 0; i < stencils_.size(); ++i)
      for (int lane = 0; lane < Pack::size; ++lane) {
        const int e = stencils_[i].element[lane];
        const CurvatureStencil& s = curvature[e];
        Bends& t = bends_[i];
        for (int p = 0; p < N; ++p)
          for (int a = 0; a < 3; ++a) t.w[p][a].set(lane, s.w[p][a]);
        for (int a = 0; a < 3; ++a) {
          for (int k = 0; k < 2; ++k) t.g[a][k].set(lane, s.gradient[a][k]);
          t.rest[a].set(lane, s.rest[a]);
        }
        t.area.set(lane, s.area);
        t.d11.set(lane, law[e].along_warp);
        t.d22.set(lane, law[e].along_weft);
        t.d12.set(lane, law[e].mixed);
        t.d33.set(lane, law[e].shear);
      }
  }

  bool bends() const override { return true; }
  void append_pairs(std::vector<std::array<int, 2>>& pairs) const override { stencils_.append_pairs(pairs); }
  void attach(const BlockPattern& pattern) override { pattern_ = &pattern, attached_ = false; }

  // Damping goes by the change of k_a = N.h_a, which turning in space leaves alone.
  double strain_change(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                       Vector* gradient) const override {
    return weight * stencils_.sum_each([&](int i) {
      const Bends& t = bends_[i];
      const Shape shape = shape_at(i, x);
      Pack c[3], m[3];
      curvature_change(shape_at(i, from), shape, c);
      respond(t, c, m);
      const Pack share = stencils_.mean(i, multiplier);
      if (gradient) {
        Pack3 g[N], sum = {};
        for (int p = 0; p < N; ++p) {
          const Pack by = weight * share * (m[0] * t.w[p][0] + m[1] * t.w[p][1] + m[2] * t.w[p][2]);
          for (int k = 0; k < 3; ++k) g[p][k] = by * shape.normal[k];
        }
        for (int k = 0; k < 3; ++k)
          sum[k] = weight * share * (m[0] * shape.h[0][k] + m[1] * shape.h[1][k] + m[2] * shape.h[2][k]);
        for (int p = 0; p < 3; ++p) {
          const Pack3 more = shape.turned(t, p, sum);
          for (int k = 0; k < 3; ++k) g[p][k] += more[k];
        }
        stencils_.scatter(i, g, *gradient);
      }
      return 0.5 * share * (m[0] * c[0] + m[1] * c[1] + m[2] * c[2]);
    });
  }

  void add_strain_change_hessian(const Vector& from, const Vector& x, double weight, const Vector& multiplier,
                                 double filter, BlockMatrix& hessian) const override {
    prepare();
    stencils_.for_each([&](int i) {
      const Bends& t = bends_[i];
      const Shape shape = shape_at(i, x);
      const Pack share = weight * stencils_.mean(i, multiplier);
      Pack3s slope[N], answer[N];  // d k_a / dx_p, and A D times it
      for (int p = 0; p < N; ++p) {
        for (int a = 0; a < 3; ++a)
          for (int k = 0; k < 3; ++k) slope[p][a][k] = t.w[p][a] * shape.normal[k];
        if (p < 3)
          for (int a = 0; a < 3; ++a) {
            const Pack3 more = shape.turned(t, p, shape.h[a]);
            for (int k = 0; k < 3; ++k) slope[p][a][k] += more[k];
          }
        respond(t, slope[p], answer[p]);
      }
      Pack h[N][N][9];
      for (int p = 0; p < N; ++p)
        for (int q = 0; q < N; ++q)
          for (int k = 0; k < 9; ++k)
            h[p][q][k] =
                share * (slope[p][0][k / 3] * answer[q][0][k % 3] + slope[p][1][k / 3] * answer[q][1][k % 3] +
                         slope[p][2][k / 3] * answer[q][2][k % 3]);
      if (filter < 1.0 && &from != &x) add_second(i, from, shape, (1.0 - filter) * share, h);
      stencils_.scatter(i, h, hessian);
    });
  }

  int elements() const override { return stencils_.elements(); }
  int stencil(int element, int (&points)[max_stencil]) const override {
    return stencils_.points_of(element, points);
  }
  void element_gradients(const int (&elements)[Pack::size], const Pack3 (&x)[max_stencil],
                         Pack3 (&gradient)[max_stencil]) const override {
    Bends t;
    const auto copy = [](Pack& to, int lane, const Pack& from, int from_lane) {
      to.set(lane, from[from_lane]);
    };
    for (int lane = 0; lane < Pack::size; ++lane) {
      const auto place = stencils_.place_of(elements[lane]);
      const Bends& from = bends_[place.block];
      // A Bends is packs and nothing else.
      const Pack* in = reinterpret_cast<const Pack*>(&from);
      Pack* out = reinterpret_cast<Pack*>(&t);
      for (std::size_t k = 0; k < sizeof(Bends) / sizeof(Pack); ++k) copy(out[k], lane, in[k], place.lane);
    }
    const Shape shape(t, x);
    Pack3s r, m;
    shape.residual(t, r);
    respond(t, r, m);
    spread(t, shape, m, gradient);
  }

 protected:
  /// The forces of the stresses m_a on r_a.
  static void spread(const Bends& t, const Shape& shape, const Pack3s& m, Pack3 (&g)[N]) {
    Pack3 turned = {};
    for (int k = 0; k < 3; ++k) {
      for (int p = 0; p < N; ++p) g[p][k] = t.w[p][0] * m[0][k] + t.w[p][1] * m[1][k] + t.w[p][2] * m[2][k];
      turned[k] = -(t.rest[0] * m[0][k] + t.rest[1] * m[1][k] + t.rest[2] * m[2][k]);
    }
    for (int p = 0; p < 3; ++p) {
      const Pack3 more = shape.turned(t, p, turned);
      for (int k = 0; k < 3; ++k) g[p][k] += more[k];
    }
  }
  Shape shape_at(int i, const Vector& x) const {
    Pack3 q[N];
    stencils_.gather(i, x, q);
    return Shape(bends_[i], q);
  }
  /// Looks the blocks up when they are first written: few steps write them, and contacts change the pattern
  /// often.
  void prepare() const {
    if (attached_) return;
    stencils_.attach(*pattern_);
    attached_ = true;
  }

  mutable Stencils<N> stencils_;
  std::vector<Bends> bends_;
  const BlockPattern* pattern_ = nullptr;
  mutable bool attached_ = false;

 private:
  static std::vector<std::array<int, N>> points_of(const std::vector<CurvatureStencil>& curvature) {
    std::vector<std::array<int, N>> points;
    for (const CurvatureStencil& s : curvature) points.push_back(s.point);
    return points;
  }
  static void curvature_change(const Shape& from, const Shape& to, Pack (&c)[3]) {
    for (int a = 0; a < 3; ++a) c[a] = dot(to.normal, to.h[a]) - dot(from.normal, from.h[a]);
  }
  /// The curvature change's answer times d2 k_a.
  void add_second(int i, const Vector& from, const Shape& shape, Pack by, Pack (&h)[N][N][9]) const {
    const Bends& t = bends_[i];
    Pack c[3], m[3], w[N];
    curvature_change(shape_at(i, from), shape, c);
    respond(t, c, m);
    Pack3 sum;
    for (int k = 0; k < 3; ++k)
      sum[k] = by * (m[0] * shape.h[0][k] + m[1] * shape.h[1][k] + m[2] * shape.h[2][k]);
    for (int p = 0; p < N; ++p) w[p] = by * (m[0] * t.w[p][0] + m[1] * t.w[p][1] + m[2] * t.w[p][2]);
    for (int q = 0; q < 3; ++q) {
      Pack turn[9];
      shape.turn(t, q, turn);
      for (int p = 0; p < N; ++p)
        for (int k = 0; k < 9; ++k) {
          h[p][q][k] += w[p] * turn[k];
          h[q][p][k] += w[p] * turn[3 * (k % 3) + k / 3];
        }
    }
    add_second_turn(t, sum, h);
  }
};

/// Sheets that are flat at rest: one constant number for every two points that see each other.
class FlatBending final : public CurvatureEnergy {
 public:
  FlatBending(int points, const std::vector<CurvatureStencil>& curvature, const std::vector<SheetLaw>& law,
              const Partition& partition)
      : CurvatureEnergy(curvature, law, partition) {
    std::vector<std::array<int, 2>> pairs;
    append_pairs(pairs);
    matrix_ = make_block_pattern(points, pairs);
    value_.assign(matrix_.column.size(), 0.0);
    for (std::size_t e = 0; e < curvature.size(); ++e) {
      const CurvatureStencil& s = curvature[e];
      const SheetLaw& d = law[e];
      for (int i = 0; i < N; ++i) {
        const double* w = s.w[i];
        const double m[3] = {s.area * (d.along_warp * w[0] + d.mixed * w[1]),
                             s.area * (d.mixed * w[0] + d.along_weft * w[1]), s.area * d.shear * w[2]};
        for (int j = 0; j < N; ++j)
          value_[matrix_.find(s.point[i], s.point[j])] +=
              m[0] * s.w[j][0] + m[1] * s.w[j][1] + m[2] * s.w[j][2];
      }
    }
  }

  void attach(const BlockPattern& pattern) override {
    CurvatureEnergy::attach(pattern);
    place_.resize(value_.size());
    parallel_pieces(matrix_.rows(), 256, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        // Both rows are in ascending order.
        int at = pattern.row_start[i];
        for (int k = matrix_.row_start[i]; k < matrix_.row_start[i + 1]; ++k) {
          while (pattern.column[at] != matrix_.column[k]) ++at;
          place_[k] = at;
        }
      }
    });
  }

  /// By differences, which rounding harms least: x.K x / 2 = - sum k_ij |x_i - x_j|^2 / 4.
  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    const Vector& x0 = chord.has_start() ? chord.x0 : x;
    double both = 0.0, start = 0.0, end = 0.0;
    for (const Sample& j : chord.samples) {
      start += j.w * (1.0 - j.s) * (1.0 - j.s);
      both += j.w * j.s * (1.0 - j.s);
      end += j.w * j.s * j.s;
    }
    return parallel_sum(matrix_.rows(), 256, [&](int begin, int finish) {
      double sum = 0.0;
      for (int i = begin; i < finish; ++i) {
        const Vec3 p0 = point(x0, i), p = point(x, i);
        Vec3 force = Vec3::Zero();
        for (int k = matrix_.row_start[i]; k < matrix_.row_start[i + 1]; ++k) {
          const int j = matrix_.column[k];
          const Vec3 d0 = point(x0, j) - p0, d = point(x, j) - p;
          force += value_[k] * (both * d0 + end * d);
          sum -=
              0.25 * value_[k] * (start * d0.squaredNorm() + 2.0 * both * d0.dot(d) + end * d.squaredNorm());
        }
        if (gradient) point(*gradient, i) += force;
      }
      return sum;
    });
  }

  void add_hessian(const Chord& chord, const Vector&, double, BlockMatrix& hessian) const override {
    double end = 0.0;
    for (const Sample& j : chord.samples) end += j.w * j.s * j.s;
    parallel_pieces(int(value_.size()), 16384, [&](int begin, int finish) {
      for (int k = begin; k < finish; ++k)
        for (int d : {0, 4, 8}) hessian.values[9 * std::size_t(place_[k]) + d] += end * value_[k];
    });
  }

 private:
  BlockPattern matrix_;
  std::vector<double> value_;
  std::vector<int> place_;  ///< of each value in the step's matrix
};

class CurvedBending final : public CurvatureEnergy, public SheetRest {
 public:
  using CurvatureEnergy::CurvatureEnergy;

  int constants() const override { return SheetRest::constants; }
  int rest_constants() const override { return SheetRest::rest_constants; }
  void get_constants(double* out) const override {
    stencils_.for_each_lane([&](int i, int lane, int element) {
      const Bends& t = bends_[i];
      double* c = out + SheetRest::constants * element;
      for (int k = 0; k < 3; ++k) c[k] = t.rest[k][lane];
      c[3] = t.area[lane];
      c[4] = t.d11[lane], c[5] = t.d22[lane], c[6] = t.d12[lane], c[7] = t.d33[lane];
    });
  }
  void set_constants(const double* from) override {
    stencils_.for_each_lane([&](int i, int lane, int element) {
      Bends& t = bends_[i];
      const double* c = from + SheetRest::constants * element;
      for (int k = 0; k < 3; ++k) t.rest[k].set(lane, c[k]);
      t.area.set(lane, c[3]);
      t.d11.set(lane, c[4]), t.d22.set(lane, c[5]), t.d12.set(lane, c[6]), t.d33.set(lane, c[7]);
    });
  }
  void present(const Vector& x, double* out) const override {
    for (int i = 0; i < stencils_.size(); ++i) {
      const Shape shape = shape_at(i, x);
      const Pack size = dot(shape.normal, shape.normal);
      for (int a = 0; a < 3; ++a) {
        const Pack k = dot(shape.normal, shape.h[a]) / size;
        for (int lane = 0; lane < Pack::size; ++lane) out[3 * stencils_[i].element[lane] + a] = k[lane];
      }
    }
  }

  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override {
    return stencils_.sum_each([&](int i) {
      const Bends& t = bends_[i];
      Pack energy = 0.0;
      Pack3 sum[N] = {};
      for_each_sample(i, chord, x, [&](const Sample& j, const Shape& shape) {
        Pack3s r, m;
        shape.residual(t, r);
        respond(t, r, m);
        energy += 0.5 * j.w * (dot(r[0], m[0]) + dot(r[1], m[1]) + dot(r[2], m[2]));
        if (!gradient) return;
        Pack3 g[N];
        spread(t, shape, m, g);
        for (int p = 0; p < N; ++p)
          for (int k = 0; k < 3; ++k) sum[p][k] += j.w * j.s * g[p][k];
      });
      if (gradient) stencils_.scatter(i, sum, *gradient);
      return energy;
    });
  }

  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const override {
    prepare();
    stencils_.for_each([&](int i) {
      const Bends& t = bends_[i];
      Pack h[N][N][9];
      clear(h);
      double weight = 0.0;
      for (const Sample& j : chord.samples) weight += j.w * j.s * j.s;
      Pack answer[N][3], rest[3];
      respond(t, t.rest, rest);
      for (int p = 0; p < N; ++p) respond(t, t.w[p], answer[p]);
      for (int p = 0; p < N; ++p)
        for (int q = 0; q < N; ++q) {
          const Pack k =
              weight * (t.w[p][0] * answer[q][0] + t.w[p][1] * answer[q][1] + t.w[p][2] * answer[q][2]);
          for (int d : {0, 4, 8}) h[p][q][d] = k;
        }
      const Pack squared = t.rest[0] * rest[0] + t.rest[1] * rest[1] + t.rest[2] * rest[2];
      for_each_sample(i, chord, x, [&](const Sample& j, const Shape& shape) {
        const double w = j.w * j.s * j.s;
        Pack turn[3][9];
        for (int p = 0; p < 3; ++p) shape.turn(t, p, turn[p]);
        for (int p = 0; p < N; ++p) {
          const Pack by = w * (t.w[p][0] * rest[0] + t.w[p][1] * rest[1] + t.w[p][2] * rest[2]);
          for (int q = 0; q < 3; ++q)
            for (int k = 0; k < 9; ++k) {
              h[p][q][k] -= by * turn[q][k];
              h[q][p][k] -= by * turn[q][3 * (k % 3) + k / 3];
            }
        }
        for (int p = 0; p < 3; ++p)
          for (int q = 0; q < 3; ++q)
            for (int k = 0; k < 9; ++k) {
              Pack s = 0.0;
              for (int l = 0; l < 3; ++l) s += turn[p][3 * l + k / 3] * turn[q][3 * l + k % 3];
              h[p][q][k] += w * squared * s;
            }
        if (filter >= 1.0) return;  // without the stress's part it is semi-definite
        Pack3s r, m;
        shape.residual(t, r);
        respond(t, r, m);
        Pack3 turned;
        for (int k = 0; k < 3; ++k)
          turned[k] = -(1.0 - filter) * w * (t.rest[0] * m[0][k] + t.rest[1] * m[1][k] + t.rest[2] * m[2][k]);
        add_second_turn(t, turned, h);
      });
      stencils_.scatter(i, h, hessian);
    });
  }

 private:
  template <class Visit>
  void for_each_sample(int i, const Chord& chord, const Vector& x, const Visit& visit) const {
    Pack3 q0[N], q1[N], q[N];
    stencils_.gather(i, x, q1);
    if (chord.has_start()) stencils_.gather(i, chord.x0, q0);
    for (const Sample& j : chord.samples) {
      for (int p = 0; p < N; ++p)
        for (int k = 0; k < 3; ++k) q[p][k] = j.s == 1.0 ? q1[p][k] : q0[p][k] + j.s * (q1[p][k] - q0[p][k]);
      visit(j, Shape(bends_[i], q));
    }
  }
};

}  // namespace

void append_bending(const Vector& rest, const std::vector<std::array<int, 3>>& triangles,
                    const std::vector<SheetMaterial>& material, const Partition& partition,
                    std::vector<std::unique_ptr<Energy>>& energies, const std::vector<char>& changes,
                    ChangingBends* found) {
  if (std::all_of(material.begin(), material.end(),
                  [](const SheetMaterial& m) { return m.bend == SheetLaw(); }))
    return;
  std::vector<CurvatureStencil> flat, curved;
  std::vector<SheetLaw> flat_law, curved_law;
  const std::vector<CurvatureStencil> all = curvature_stencils(rest, triangles, material);
  for (std::size_t e = 0; e < all.size(); ++e) {
    if (found) found->element.push_back(-1);
    if (material[e].bend == SheetLaw()) continue;
    const bool bent = all[e].rest[0] != 0.0 || all[e].rest[1] != 0.0 || all[e].rest[2] != 0.0 ||
                      (!changes.empty() && changes[e]);
    if (found && bent) found->element.back() = int(curved.size());
    (bent ? curved : flat).push_back(all[e]);
    (bent ? curved_law : flat_law).push_back(material[e].bend);
  }
  if (!flat.empty())
    energies.push_back(std::make_unique<FlatBending>(int(rest.size() / 3), flat, flat_law, partition));
  if (curved.empty()) return;
  energies.push_back(std::make_unique<CurvedBending>(curved, curved_law, partition));
  if (found) found->energy = energies.back().get();
}

}  // namespace verve
